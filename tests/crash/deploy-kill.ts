// kill -9 of the service at steps of one deploy, its own and the script's: it ends well, with one key alive.
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { REST_PREFIX } from '../../servers/rest/routes.ts'
import { DEPLOY_STEPS } from '../../src/catalog/deploy.ts'
import { loadConfig } from '../../src/config.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { agentKey, hasMarker, makeServer, rowsOf } from '../instances/deploy-fixture.ts'
import { type Gates, makeGates } from '../instances/deploy-gates.ts'
import { type FrontProxy, openProxy } from '../instances/deploy-proxy.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { entitle } from '../support/deploys.ts'
import { at, makePartner, type TestPartner } from '../support/fixture.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'
import { type Bundle, bundle } from './bundle.ts'
import { type DeployPoint, type DeployProcesses, deployProcesses } from './deploy-process.ts'

let place: TestPlace
let sshd: Sshd
let upstream: Upstream
let proxy: FrontProxy
let gates: Gates
let program: Bundle
let processes: DeployProcesses
/** Looks on and does nothing in the background. */
let service: Service
let partner: TestPartner
let instance: InstanceRow

beforeAll(async () => {
  ;[program, place, sshd, upstream, proxy] = await Promise.all([
    bundle(new URL('./deploying-service.ts', import.meta.url).pathname),
    makeTestPlace('sqlite'),
    startSshd(),
    startUpstream(),
    openProxy()
  ])
  gates = makeGates()
  const env = {
    DATA_DIR: place.dataDir,
    PORT: '0',
    PUBLIC_URL: proxy.url,
    SSH_ALLOW_PRIVATE: '1',
    AI_UPSTREAM_URL: upstream.url,
    AI_UPSTREAM_KEY: UPSTREAM_KEY,
    CLI_AGENT_INSTALL: gates.install
  }
  processes = deployProcesses(program.file, env)
  service = await openService(loadConfig(env), createLog('silent'))
  partner = await makePartner(service)
  await entitle(service, partner.partnerId)
  instance = await makeServer(service, partner.partnerId, sshd)
})
afterAll(async () => {
  await processes.close()
  gates.remove()
  program.remove()
  await service.close()
  await Promise.all([sshd.remove(), upstream.close(), proxy.close(), place.remove()])
})

const BOT_TOKEN = '123456789:AAExampleExampleExampleExampleExampl'

const askForDeploy = (url: string, input: Record<string, unknown>) =>
  fetch(`${url}${REST_PREFIX}/instances/${instance.id}/cli-agent/deploy`, {
    method: 'POST',
    headers: { authorization: `Bearer ${partner.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ telegramBotToken: BOT_TOKEN, telegramChatId: '7', ...input })
  })

/** A process that agents reach, too. */
async function start(dieAt?: DeployPoint) {
  const process = await processes.start(dieAt)
  proxy.leadTo(process.url)
  return process
}

const AFTER_THE_SCRIPT = new Set<string>(['cleaned', 'revoked', 'success noted'])

/** Comes through a kill at each of these, and leaves one key, the one in the agent's configuration. */
export async function expectOneKeyAfter(points: readonly DeployPoint[], steps: readonly string[]) {
  const first = await start()
  for (const { id } of DEPLOY_STEPS) gates.open(id)
  expect((await askForDeploy(first.url, { businessName: 'Sol' })).status).toBe(202)
  await untilStatus('cli-agent')
  await first.kill()
  const formerKey = agentKey(instance)
  gates.close()

  const asked = await start()
  const again = askForDeploy(asked.url, { businessName: 'Luna', confirmReinstall: true })
  expect((await again).status).toBe(202)
  await asked.kill()

  for (const point of points.filter((one) => !AFTER_THE_SCRIPT.has(one))) {
    const dying = await start(point)
    expect([point, await dying.ended]).toEqual([point, 'SIGKILL'])
  }
  for (const { id } of DEPLOY_STEPS) {
    if (!steps.includes(id)) {
      gates.open(id)
      continue
    }
    const following = await start()
    await gates.reached(id)
    await untilStep(id)
    await following.kill()
    expect((await rowsOf(service, instance)).instance.status).toBe('deploying:cli-agent')
    gates.open(id)
  }
  for (const point of points.filter((one) => AFTER_THE_SCRIPT.has(one))) {
    const dying = await start(point)
    expect([point, await dying.ended]).toEqual([point, 'SIGKILL'])
  }
  const last = await start()
  await untilStatus('cli-agent')
  const { liveKeys, liveTokens, deploy, instance: row } = await rowsOf(service, instance)
  expect(row.agentName).toBe('Luna')
  expect(liveKeys).toEqual([{ alias: deploy?.keyAlias }])
  expect(liveTokens).toEqual([{ id: deploy?.tokenId }])
  expect(deploy).toMatchObject({ phase: 'succeeded', sealedTelegram: null, number: 2 })
  expect(hasMarker(instance)).toBe(true)
  // The one key is the one that the agent has.
  expect(await modelsWith(last.url, agentKey(instance))).toBe(200)
  expect(await modelsWith(last.url, formerKey)).toBe(401)
  await last.kill()
}

const untilStatus = (status: string) =>
  vi.waitFor(
    async () => {
      const { instance: row, deploy } = await rowsOf(service, instance)
      if (row.status !== status) throw new Error(`Still ${row.status}: ${deploy?.message} ${deploy?.steps}`)
    },
    { timeout: 120_000, interval: 50 }
  )

/** Until the process that follows has seen the script at that step, whose last work may come after it was noted. */
const untilStep = (id: string) =>
  vi.waitFor(
    async () => {
      const { deploy } = await rowsOf(service, instance)
      const steps: unknown = JSON.parse(deploy?.steps ?? '[]')
      const step = Array.from(Object(steps)).find((one) => at(one, 'id') === id)
      if (at(step, 'state') === 'pending') throw new Error(`Not yet at ${id}: ${deploy?.steps}`)
    },
    { timeout: 120_000, interval: 50 }
  )

const modelsWith = async (url: string, key: string | undefined): Promise<number> => {
  const answer = await fetch(`${url}/ai/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  await answer.text()
  return answer.status
}
