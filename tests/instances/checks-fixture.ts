// Servers with an agent that is ready, looked at one by one as a test asks, and what came of it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { expect, vi } from 'vitest'
import { appPaths } from '../../src/catalog/paths.ts'
import { fromNow, HOUR_MS, MINUTE_MS, now } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { getInstance, type InstanceRow } from '../../src/instances/store.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { makePartner, type TestPartner } from '../support/fixture.ts'
import { startTestServer } from '../support/http.ts'
import { startSshd } from '../support/openssh.ts'
import { makeServer } from './deploy-fixture.ts'

export const PATIENT = { timeout: 60_000, interval: 20 }
export const METRICS_TOKEN = 'a-token-for-the-metrics'
/** Only what a test makes due is found at once. */
const TIMES = { everyMs: HOUR_MS, againMs: MINUTE_MS, lookMs: 50 }

export type ChecksFixture = Awaited<ReturnType<typeof startChecksFixture>>

export async function startChecksFixture(kind: DatabaseKind) {
  const sshd = await startSshd()
  const server = await startTestServer(
    kind,
    { METRICS_TOKEN, SSH_CONNECT_TIMEOUT_MS: '30000' },
    { agentCheckTimes: TIMES }
  )
  const { database } = server.service
  const opened: (() => unknown)[] = []
  const rowOf = ({ id, partnerId }: InstanceRow) => getInstance(database.read, partnerId, id)
  const set = (columns: Partial<InstanceRow>, instances?: InstanceRow[]) =>
    database.transaction((tx) =>
      tx
        .updateTable('instance')
        .set(columns)
        .$if(instances !== undefined, (query) =>
          query.where(
            'id',
            'in',
            (instances ?? []).map(({ id }) => id)
          )
        )
        .execute()
    )
  const ready = async ({ partnerId }: TestPartner, columns: Partial<InstanceRow> = {}) => {
    const status = { status: 'cli-agent', agentName: 'Luz' } as const
    const instance = await makeServer(server.service, partnerId, sshd, { ...status, ...columns })
    const { stateDir, marker } = appPaths(instance.root)
    mkdirSync(stateDir, { recursive: true })
    writeFileSync(`${stateDir}/instance`, `${instance.id} ${instance.customerId}\n`)
    writeFileSync(marker, 'dep_test\n')
    return instance
  }
  /** Looks at each of them now. */
  const look = async (...instances: InstanceRow[]) => {
    const at = now()
    await set({ checkDueAt: at }, instances)
    return vi.waitFor(async () => {
      const rows = await Promise.all(instances.map(rowOf))
      for (const { checkedAt, leaseOwner } of rows)
        expect([(checkedAt ?? '') >= at, leaseOwner]).toEqual([true, null])
      return rows
    }, PATIENT)
  }
  return {
    server,
    sshd,
    rowOf,
    set,
    ready,
    look,
    readies: (count: number, of: TestPartner, columns: Partial<InstanceRow> = {}) =>
      Promise.all(Array.from({ length: count }, () => ready(of, columns))),
    lookAt: async (instance: InstanceRow) => (await look(instance))[0] ?? instance,
    newPartner: () => makePartner(server.service),
    /** What the partner was mailed, the newest last. */
    async mails({ partnerId }: TestPartner) {
      const rows = await database.read
        .selectFrom('mail')
        .where('partnerId', '=', partnerId)
        .where('template', 'in', ['agent_unreachable', 'agent_answers'])
        .orderBy('createdAt')
        .select(['template', 'customerId', 'params'])
        .execute()
      return rows.map(({ params, ...row }) => ({ ...row, ...JSON.parse(params) }))
    },
    /** As if so much time had gone by since the partner was mailed. */
    later: ({ partnerId }: TestPartner, ms: number) =>
      database.transaction(async (tx) => {
        const at = fromNow(-ms)
        await tx.updateTable('mail').set({ createdAt: at }).where('partnerId', '=', partnerId).execute()
        await tx
          .updateTable('instance')
          .set({ noticedAt: at })
          .where('partnerId', '=', partnerId)
          .where('noticedAt', 'is not', null)
          .execute()
      }),
    get: async (path: string, { key }: TestPartner) => (await server.api('GET', path, { key })).body,
    /** Another process on the same database; resolves with what ends it. */
    async startAnother() {
      const config = { ...loadConfig(server.env), agentCheckTimes: TIMES }
      const other = await openService(config, createLog('silent'))
      let closing: Promise<void> | undefined
      const close = () => (closing ??= other.close())
      opened.push(close)
      other.start('http://127.0.0.1')
      return close
    },
    /** A server that takes connections and says nothing. */
    async startSilentServer() {
      const sockets = new Set<Socket>()
      const listener = createServer((socket) => {
        sockets.add(socket)
        // Read, or the end of a connection would never be seen.
        socket
          .resume()
          .on('error', () => {})
          .once('close', () => sockets.delete(socket))
      })
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
      opened.push(() => {
        listener.close()
        for (const socket of sockets) socket.destroy()
      })
      const address = listener.address()
      if (address === null || typeof address === 'string') throw new Error('no port')
      return { port: address.port, sockets }
    },
    /** After each test: nothing is looked at any more, and the server is there. */
    async rest() {
      for (const close of opened.splice(0)) await close()
      await set({ checkDueAt: null, unreachableSince: null })
      await sshd.kill()
      await sshd.start()
    },
    async close() {
      await server.close()
      await sshd.remove()
    }
  }
}

export const dueInMinutes = ({ checkDueAt }: InstanceRow): number =>
  (Date.parse(checkDueAt ?? '') - Date.now()) / MINUTE_MS
