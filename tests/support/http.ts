// A whole server on a port of this machine, and a client that says what it got.

import { startServer } from '../../servers/main.ts'
import { REST_PREFIX } from '../../servers/rest/routes.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import type { Service } from '../../src/service.ts'
import { type DatabaseKind, makeTestPlace } from './databases.ts'
import { makePartner, type TestPartner } from './fixture.ts'
import { startPgBouncer } from './pgbouncer.ts'

/** Needs a build, which is nothing to ask for where the test's own process is all. */
const manyProcesses = Number(process.env.TEST_PROCESSES) > 1 ? await import('./many-processes.ts') : undefined

export interface ApiRequest {
  /** Sent as a bearer key; without one the request carries none. */
  key?: string | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, as JSON unless `headers` says otherwise. */
  rawBody?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON object; `{}` when there is no body. */
  body: Record<string, unknown>
}

export interface TestServer {
  url: string
  /** Past what stands in front of several processes. */
  ownUrl: string
  service: Service
  /** Every log line so far, as it was written. */
  logs: string[]
  /** The environment that it was configured from; give it to a CLI to work beside it. */
  env: Record<string, string>
  /** A partner whose key has every scope. */
  partner: TestPartner
  /** Calls the partner API: `path` is relative to `/api/v1/mcp`. */
  api(method: string, path: string, request?: ApiRequest): Promise<Answer>
  /** Stops the server and removes its database. */
  close(): Promise<void>
}

/** What no variable sets. */
type Paces = Partial<Pick<Config, 'deployTimes' | 'agentCheckTimes'>>

/**
 * Starts the real server on a fresh database, with its background work; `paces` shorten what it waits for. Where there are
 * to be several processes (`TEST_PROCESSES`), `alone` says why this one can't be.
 */
export async function startTestServer(
  kind: DatabaseKind,
  overrides: Record<string, string> = {},
  { alone, ...paces }: Paces & { alone?: string } = {}
): Promise<TestServer> {
  const many = alone === undefined && Object.keys(paces).length === 0 ? manyProcesses : undefined
  const bare = await makeTestPlace(many ? 'postgres' : kind)
  const pooler = many && (await startPgBouncer('transaction'))
  const place = pooler?.behind(bare) ?? bare
  const front = await many?.makeFront()
  const env = {
    DATA_DIR: place.dataDir,
    PORT: String(front?.port ?? 0),
    ...(front && { PUBLIC_URL: front.url, TRUST_PROXY: '1' }),
    LOG_LEVEL: 'debug',
    // Every server of a test is on this machine.
    SSH_ALLOW_PRIVATE: '1',
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
    ...overrides
  }
  const logs: string[] = []
  const { url, service, stop } = await startServer(
    { ...loadConfig(env), ...paces },
    createLog('debug', (line) => logs.push(line))
  )
  const onLog = (line: string) => logs.push(line)
  const others = front && (await many?.startOthers(front, { place, env, onLog }))
  const partner = await makePartner(service)
  return {
    url: front?.url ?? url,
    ownUrl: url,
    service,
    logs,
    // Who works beside it has a port of its own.
    env: { ...env, PORT: '0' },
    partner,
    api: (method, path, request = {}) => callApi((front?.url ?? url) + REST_PREFIX + path, method, request),
    async close() {
      await others?.stop()
      await stop()
      await pooler?.stop()
      await place.remove()
    }
  }
}

async function callApi(
  url: string,
  method: string,
  { key, body, rawBody, headers }: ApiRequest
): Promise<Answer> {
  const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
  const answer = await fetch(url, {
    method,
    headers: {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers
    },
    ...(sent === undefined ? {} : { body: sent })
  })
  return { status: answer.status, headers: answer.headers, body: await objectOf(answer) }
}

async function objectOf(answer: Response): Promise<Record<string, unknown>> {
  const text = await answer.text()
  const value: unknown = text === '' ? {} : JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new Error(`Not an object: ${text.slice(0, 200)}`)
  return { ...value }
}

/** The log lines with that request id, parsed. */
export const logLinesOf = (logs: readonly string[], requestId: string): Record<string, unknown>[] =>
  logs.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId)
