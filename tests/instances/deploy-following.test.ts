// A deploy under way: processes come and go, servers are away for a while, and it is followed to its end all the same.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type RunningServer, startServer } from '../../servers/main.ts'
import { DEPLOY_STEPS } from '../../src/catalog/deploy.ts'
import { appPaths } from '../../src/catalog/paths.ts'
import { loadConfig } from '../../src/config.ts'
import type { DeployTimes } from '../../src/instances/deploy/times.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { createLog } from '../../src/log.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { databases, makeTestPlace, type TestPlace } from '../support/databases.ts'
import { DEPLOY_WAIT, entitle } from '../support/deploys.ts'
import { makePartner, run } from '../support/fixture.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'
import { hasMarker, makeServer, QUICK, rowsOf } from './deploy-fixture.ts'
import { type Gates, makeGates } from './deploy-gates.ts'
import { type FrontProxy, openProxy } from './deploy-proxy.ts'

let sshd: Sshd
let upstream: Upstream
let proxy: FrontProxy
beforeAll(async () => {
  ;[sshd, upstream, proxy] = await Promise.all([startSshd(), startUpstream(), openProxy()])
})
afterAll(() => Promise.all([sshd.remove(), upstream.close(), proxy.close()]))

describe.each(databases)('a deploy under way on %s', (kind) => {
  let place: TestPlace
  let gates: Gates
  let servers: RunningServer[]
  let instance: InstanceRow

  beforeEach(async () => {
    place = await makeTestPlace(kind)
    gates = makeGates()
    servers = []
  })
  afterEach(async () => {
    for (const { id } of DEPLOY_STEPS) gates.open(id)
    await Promise.all(servers.map((server) => server.stop()))
    gates.remove()
    await place.remove()
  })

  /** One more process on the same database. */
  const start = async (times: Partial<DeployTimes> = {}): Promise<RunningServer> => {
    const config = loadConfig({
      DATA_DIR: place.dataDir,
      PORT: '0',
      PUBLIC_URL: proxy.url,
      SSH_ALLOW_PRIVATE: '1',
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_KEY: UPSTREAM_KEY,
      CLI_AGENT_INSTALL: gates.install,
      ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {})
    })
    const server = await startServer({ ...config, deployTimes: { ...QUICK, ...times } }, createLog('silent'))
    servers.push(server)
    proxy.leadTo(server.url)
    return server
  }

  /** Deploys as far as the installing, which waits. */
  const deployed = async ({ service }: RunningServer) => {
    const { partnerId } = await makePartner(service)
    await entitle(service, partnerId)
    instance = await makeServer(service, partnerId, sshd)
    await run(service, partnerId, 'instance_deploy', { instanceId: instance.id, businessName: 'Sol' })
    await gates.reached('install')
  }

  const letGo = () => {
    for (const { id } of DEPLOY_STEPS) gates.open(id)
  }

  const until = (server: RunningServer, phase: string) =>
    vi.waitFor(async () => {
      const rows = await rowsOf(server.service, instance)
      if (rows.deploy?.phase !== phase) throw new Error(`${rows.deploy?.phase}: ${rows.deploy?.message}`)
      return rows
    }, DEPLOY_WAIT)

  it('is given back when its process stops, and goes on in the next one with the same key', async () => {
    const first = await start()
    await deployed(first)
    await until(first, 'running')
    await first.stop()

    const second = await start()
    letGo()
    const { deploy, liveKeys } = await until(second, 'succeeded')
    expect(deploy?.attempt).toBe(1)
    expect(liveKeys).toEqual([{ alias: deploy?.keyAlias }])
    expect(hasMarker(instance)).toBe(true)
  })

  it('is taken over from a process that says nothing any more, which then keeps its hands off', async () => {
    const silent = await start()
    await deployed(silent)
    await until(silent, 'running')
    await silent.service.database.transaction((tx) =>
      tx.updateTable('deploy').set({ leaseOwner: 'another/0/run', leaseExpiresAt: '2020' }).execute()
    )
    const other = await start()
    letGo()
    const { deploy, liveKeys } = await until(other, 'succeeded')
    expect([deploy?.attempt, deploy?.leaseOwner]).toEqual([1, null])
    expect(liveKeys).toHaveLength(1)
  })
})

describe('a server that is away while its deploy runs', () => {
  let place: TestPlace
  let gates: Gates
  let server: RunningServer
  let own: Sshd
  let instance: InstanceRow

  const begin = async (times: Partial<DeployTimes> = {}) => {
    ;[place, own] = await Promise.all([makeTestPlace('sqlite'), startSshd()])
    gates = makeGates()
    const config = loadConfig({
      DATA_DIR: place.dataDir,
      PORT: '0',
      SSH_ALLOW_PRIVATE: '1',
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_KEY: UPSTREAM_KEY,
      CLI_AGENT_INSTALL: gates.install
    })
    server = await startServer({ ...config, deployTimes: { ...QUICK, ...times } }, createLog('silent'))
    const { partnerId } = await makePartner(server.service)
    await entitle(server.service, partnerId)
    instance = await makeServer(server.service, partnerId, own)
    await run(server.service, partnerId, 'instance_deploy', { instanceId: instance.id, businessName: 'Sol' })
    await gates.reached('install')
  }
  afterEach(async () => {
    for (const { id } of DEPLOY_STEPS) gates.open(id)
    await server.stop()
    await own.remove()
    gates.remove()
    await place.remove()
  })

  const rowWith = (predicate: (row: Awaited<ReturnType<typeof rowsOf>>) => boolean) =>
    vi.waitFor(async () => {
      const rows = await rowsOf(server.service, instance)
      if (!predicate(rows)) throw new Error(`${rows.deploy?.phase}: ${rows.deploy?.message}`)
      return rows
    }, DEPLOY_WAIT)

  it('is waited for, says so meanwhile, and the deploy goes on', async () => {
    await begin()
    await rowWith(({ deploy }) => deploy?.phase === 'running')
    await own.kill()
    await rowWith(({ deploy }) => deploy?.message.includes('refuses connections') === true)
    await own.start()
    for (const { id } of DEPLOY_STEPS) gates.open(id)
    const { deploy, instance: row } = await rowWith(({ deploy: one }) => one?.finishedAt !== null)
    expect([deploy?.phase, deploy?.message, row.status]).toEqual(['succeeded', '', 'cli-agent'])
  })

  it('is given up after its time, and its key revoked', async () => {
    await begin({ silenceMs: 1_000 })
    await rowWith(({ deploy }) => deploy?.phase === 'running')
    await own.kill()
    const { deploy, liveKeys, instance: row } = await rowWith(({ deploy: one }) => one?.finishedAt !== null)
    expect([deploy?.phase, row.status]).toEqual(['failed', 'failed:cli-agent'])
    expect(deploy?.message).toMatch(/It was tried for/)
    expect(liveKeys).toEqual([])
  })

  it('fails the deploy once neither the script nor the marker is there', async () => {
    await begin()
    await rowWith(({ deploy }) => deploy?.phase === 'running')
    const owner = readFileSync(join(appPaths(instance.root).stateDir, 'deploy.owner'), 'utf8')
    process.kill(Number(owner.split(' ')[0]), 'SIGKILL')
    const { deploy, liveKeys, instance: row } = await rowWith(({ deploy: one }) => one?.finishedAt !== null)
    expect([deploy?.phase, row.status, liveKeys]).toEqual(['failed', 'failed:cli-agent', []])
    expect(deploy?.message).toMatch(/ended without saying why.*Deploy again/s)
  })
})
