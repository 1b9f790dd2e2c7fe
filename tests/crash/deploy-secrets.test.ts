// What a deploy handles and where none of it may be found: database, logs, process lists and answers, all looked
// through byte by byte, while the real command serves.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { REST_PREFIX } from '../../servers/rest/routes.ts'
import { appPaths } from '../../src/catalog/paths.ts'
import { loadConfig } from '../../src/config.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { agentFile, agentKey, makeServer } from '../instances/deploy-fixture.ts'
import { enterConsole } from '../portal/console-visitor.ts'
import { standInInstall } from '../support/agent/stand-in.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { cliFile } from '../support/cli.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { entitle } from '../support/deploys.ts'
import { makePartner } from '../support/fixture.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'

const BOT_TOKEN = '123456789:AAScanScanScanScanScanScanScanScanScan'
const SHAPES = /sk-[0-9A-Za-z]{20,}|mct_[0-9A-Za-z]{20,}|123456789:AAScan\w+/g

let place: TestPlace
let sshd: Sshd
let upstream: Upstream
let child: ChildProcess
let service: Service
let instance: InstanceRow
let logs = ''
/** Secrets by the kind of place that they were seen at. */
const seen = { processes: new Set<string>(), ofTheDeploy: 0, answers: '' }
let secrets: string[]

beforeAll(async () => {
  ;[place, sshd, upstream] = await Promise.all([makeTestPlace('sqlite'), startSshd(), startUpstream()])
  const env = {
    DATA_DIR: place.dataDir,
    PORT: '0',
    LOG_LEVEL: 'debug',
    SSH_ALLOW_PRIVATE: '1',
    AI_UPSTREAM_URL: upstream.url,
    AI_UPSTREAM_KEY: UPSTREAM_KEY,
    CLI_AGENT_INSTALL: standInInstall
  }
  service = await openService(loadConfig(env), createLog('silent'))
  const partner = await makePartner(service)
  await entitle(service, partner.partnerId)
  instance = await makeServer(service, partner.partnerId, sshd)

  child = spawn(process.execPath, [cliFile, 'serve'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    logs += text
  })
  if (!child.stdout) throw new Error('The service has no output')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url } = JSON.parse(String(line))
  const sampling = setInterval(sampleProcesses, 25)
  await deployAndLook(url, partner)
  clearInterval(sampling)
  const token = /mct_[0-9A-Za-z]+/.exec(agentFile(instance, 'config.yaml') ?? '')?.[0]
  secrets = [agentKey(instance) ?? '', token ?? '', BOT_TOKEN]
}, 300_000)
afterAll(async () => {
  child.kill('SIGKILL')
  await once(child, 'exit')
  await service.close()
  await Promise.all([sshd.remove(), upstream.close(), place.remove()])
})

/** Deploys from the console, and keeps everything that any channel answers until the agent is there. */
async function deployAndLook(url: string, partner: Awaited<ReturnType<typeof makePartner>>) {
  const browser = await enterConsole({ service, url }, partner)
  const keep = (text: string) => {
    seen.answers += text
  }
  const sent = await browser.post(`/instances/${instance.id}/deploy`, {
    businessName: 'Clínica Sol',
    telegramBotToken: BOT_TOKEN,
    telegramChatId: '7'
  })
  const page = sent.headers.get('location') ?? ''
  const streams: Promise<void>[] = []
  await vi.waitFor(
    async () => {
      const status = await fetch(`${url}${REST_PREFIX}/instances/${instance.id}/cli-agent/deploy`, {
        headers: { authorization: `Bearer ${partner.key}` }
      })
      const text = await status.text()
      keep(text)
      keep((await browser.get(page)).html)
      if (streams.length === 0) streams.push(browser.get(`${page}/events`).then(({ html }) => keep(html)))
      const { data } = Object(JSON.parse(text))
      if (data.state === 'running') throw new Error(`Still running: ${text}`)
      expect(data.state, text).toBe('succeeded')
    },
    { timeout: 200_000, interval: 200 }
  )
  await Promise.all(streams)
  keep((await browser.get(`/instances/${instance.id}`)).html)
  keep((await browser.get('/audit')).html)
}

/** What is in the command line and the environment of every process of this machine right now. */
function sampleProcesses(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const file of ['cmdline', 'environ']) {
      const content = contentOf(join('/proc', pid, file))
      if (content.includes(instance.root)) seen.ofTheDeploy += 1
      for (const secret of content.match(SHAPES) ?? []) seen.processes.add(secret)
    }
  }
}

/** Of a process that has just ended there is nothing to read. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const findings = (text: string) => secrets.filter((secret) => text.includes(secret))

describe('the agent’s AI key, its MCP token and the bot token', () => {
  it('are on the server, where the agent reads them, and in no other file there', () => {
    expect(secrets.map((secret) => secret.slice(0, 3))).toEqual(['sk-', 'mct', '123'])
    const { home } = appPaths(instance.root)
    const holding = filesBelow(sshd.root).filter((file) => findings(contentOf(file)).length > 0)
    expect(holding.toSorted()).toEqual([join(home, '.hermes/.env'), join(home, '.hermes/config.yaml')])
  })

  it('are in no file of the service, its database and write-ahead log included', () => {
    const files = filesBelow(place.dataDir)
    expect(files.map((file) => file.split('/').at(-1))).toContain('mindgate.db')
    expect(files.filter((file) => findings(contentOf(file)).length > 0)).toEqual([])
  })

  it('are in no log line', () => {
    expect(logs).toContain('instance_deploy')
    expect(findings(logs)).toEqual([])
  })

  it('were in no process list', () => {
    expect(seen.ofTheDeploy).toBeGreaterThan(0)
    expect([...seen.processes].filter((secret) => secrets.includes(secret))).toEqual([])
  })

  it('are in no answer of the API or the console', () => {
    expect(seen.answers).toContain('Clínica Sol')
    expect(findings(seen.answers)).toEqual([])
  })
})
