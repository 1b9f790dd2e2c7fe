// What a deploy needs to be real: a service with an AI gateway, OpenSSH, and the stand-in agent to install.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { appPaths } from '../../src/catalog/paths.ts'
import type { Config } from '../../src/config.ts'
import { newId } from '../../src/ids.ts'
import { newestDeploy } from '../../src/instances/deploy/store.ts'
import { DEPLOY_TIMES, type DeployTimes } from '../../src/instances/deploy/times.ts'
import { getInstance, type InstanceRow } from '../../src/instances/store.ts'
import type { Service } from '../../src/service.ts'
import { standInInstall } from '../support/agent/stand-in.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { DEPLOY_WAIT, entitle } from '../support/deploys.ts'
import { run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'

/** Everything waits for things that happen on this machine. */
export const QUICK: DeployTimes = {
  ...DEPLOY_TIMES,
  pollMs: 50,
  lookMs: 200,
  connectMs: 2_000,
  firstRetryMs: 50,
  longestRetryMs: 200
}

export interface DeployFixture {
  server: TestServer
  sshd: Sshd
  upstream: Upstream
  /** The partner whose key the calls carry. */
  partnerId: string
  /** A server of a new customer, in a root of its own, that lets us in. */
  instance(columns?: Partial<InstanceRow>): Promise<InstanceRow>
  /** Asks for a deploy over REST. */
  deploy(instance: InstanceRow, input?: Record<string, unknown>): ReturnType<TestServer['api']>
  /** The deploy as the status operation tells it, once it has ended. */
  ended(instance: InstanceRow): Promise<Record<string, unknown>>
  close(): Promise<void>
}

interface DeployOptions {
  env?: Record<string, string>
  times?: Partial<DeployTimes>
  checks?: Config['agentCheckTimes']
}

export async function startDeployFixture(
  kind: DatabaseKind,
  { env = {}, times = {}, checks }: DeployOptions = {}
): Promise<DeployFixture> {
  const [sshd, upstream] = await Promise.all([startSshd(), startUpstream()])
  const server = await startTestServer(
    kind,
    {
      CLI_AGENT_INSTALL: standInInstall,
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_KEY: UPSTREAM_KEY,
      ...env
    },
    { deployTimes: { ...QUICK, ...times }, ...(checks && { agentCheckTimes: checks }) }
  )
  const { partnerId, key } = server.partner
  await entitle(server.service, partnerId)
  const deployPath = (instance: InstanceRow) => `/instances/${instance.id}/cli-agent/deploy`
  return {
    server,
    sshd,
    upstream,
    partnerId,
    instance: (columns) => makeServer(server.service, partnerId, sshd, columns),
    deploy: (instance, input = { businessName: 'Clínica Sol' }) =>
      server.api('POST', deployPath(instance), { key, body: input }),
    ended: (instance) =>
      vi.waitFor(async () => {
        const { data } = (await server.api('GET', deployPath(instance), { key })).body
        const progress = Object(data)
        if (progress.state === 'running') throw new Error(`Still at ${JSON.stringify(progress.steps)}`)
        return progress
      }, DEPLOY_WAIT),
    async close() {
      await server.close()
      await Promise.all([sshd.remove(), upstream.close()])
    }
  }
}

/** An instance of a new customer that the SSH server lets in. */
export async function makeServer(
  service: Service,
  partnerId: string,
  sshd: Sshd,
  columns: Partial<InstanceRow> = {}
): Promise<InstanceRow> {
  const created = await run(service, partnerId, 'customer_create', { email: uniqueEmail() })
  const { host, port, username, hostKey } = sshd
  const root = join(sshd.root, newId('box'))
  const place = { host, port, username, hostKey, root }
  const instance = await makeInstance(service, partnerId, stringAt(created, 'data', 'id'), {
    ...place,
    ...columns
  })
  sshd.authorize(instance.publicKey)
  return instance
}

/** A file of the agent's home on the server; `undefined` when there is none. */
export function agentFile({ root }: InstanceRow, path: string): string | undefined {
  const file = join(appPaths(root).home, '.hermes', path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** The agent's key, as its configuration has it. */
export const agentKey = (instance: InstanceRow): string | undefined =>
  /sk-[0-9A-Za-z]+/.exec(agentFile(instance, 'config.yaml') ?? '')?.[0]

/** Whether the completion marker is there. */
export const hasMarker = ({ root }: InstanceRow): boolean => existsSync(appPaths(root).marker)

/** Rows of the instance as they are now. */
export const rowsOf = async ({ database }: Service, { partnerId, id, customerId }: InstanceRow) => ({
  instance: await getInstance(database.read, partnerId, id),
  deploy: await newestDeploy(database.read, partnerId, id),
  liveKeys: await database.read
    .selectFrom('aiKey')
    .where('instanceId', '=', id)
    .where('revokedAt', 'is', null)
    .select('alias')
    .execute(),
  liveTokens: await database.read
    .selectFrom('customerToken')
    .where('customerId', '=', customerId)
    .where('revokedAt', 'is', null)
    .select('id')
    .execute()
})
