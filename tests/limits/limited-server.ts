// A real server with a small budget.
import { startServer } from '../../servers/main.ts'
import { REST_PREFIX } from '../../servers/rest/routes.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import type { Service } from '../../src/service.ts'
import { call, modern, modernHeaders, type request } from '../mcp/messages.ts'
import { type DatabaseKind, makeTestPlace, type TestPlace } from '../support/databases.ts'
import { makePartner, SECRET_KEY, type TestPartner } from '../support/fixture.ts'

export interface LimitedAnswer {
  status: number
  headers: Headers
  body: unknown
}

export interface LimitedServer {
  url: string
  service: Service
  logs: string[]
  /** Gets a page of customers. */
  list(key: string | undefined, headers?: Record<string, string>): Promise<LimitedAnswer>
  /** Calls the tool that does the same. */
  callTool(key: string | undefined, headers?: Record<string, string>): Promise<LimitedAnswer>
  /** Posts to the partner gateway, as a client of the older era does. */
  post(key: string | undefined, message: unknown, headers?: Record<string, string>): Promise<LimitedAnswer>
  /** Posts as a client of 2026-07-28 does. */
  postModern(key: string, message: ReturnType<typeof request>): Promise<LimitedAnswer>
  stop(): Promise<void>
}

interface Limits {
  quota: number
  env?: Record<string, string>
}

/** Starts a server on that place; several on one place share its database. */
export async function startLimited(place: TestPlace, limits: Limits): Promise<LimitedServer> {
  const { quota, env = {} } = limits
  const logs: string[] = []
  const config = loadConfig({
    DATA_DIR: place.dataDir,
    PORT: '0',
    RATE_LIMIT: String(quota),
    SECRET_KEY,
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
    ...env
  })
  const { url, service, stop } = await startServer(
    config,
    createLog('debug', (line) => logs.push(line))
  )
  const post: LimitedServer['post'] = (key, message, headers = {}) =>
    send(`${url}/api/partner-mcp`, key, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers
      },
      body: JSON.stringify(message)
    })
  return {
    url,
    service,
    logs,
    list: (key, headers = {}) => send(`${url}${REST_PREFIX}/customers`, key, { headers }),
    callTool: (key, headers = {}) => post(key, call('customer_list'), headers),
    post,
    postModern: (key, message) => post(key, modern(message), modernHeaders(message)),
    stop
  }
}

export interface LimitedPlace extends LimitedServer {
  place: TestPlace
  partner: TestPartner
  close(): Promise<void>
}

/** A server on a fresh database, with a partner. */
export async function openLimited(kind: DatabaseKind, limits: Limits): Promise<LimitedPlace> {
  const place = await makeTestPlace(kind)
  const server = await startLimited(place, limits)
  return {
    ...server,
    place,
    partner: await makePartner(server.service),
    async close() {
      await server.stop()
      await place.remove()
    }
  }
}

async function send(
  url: string,
  key: string | undefined,
  { headers, ...init }: { method?: string; headers: Record<string, string>; body?: string }
): Promise<LimitedAnswer> {
  const authorization = key ? { Authorization: `Bearer ${key}` } : {}
  const response = await fetch(url, { ...init, headers: { ...authorization, ...headers } })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text)
  }
}

/** What `RateLimit` says is left. */
export function remaining({ headers }: { headers: Headers }): number | undefined {
  const left = /^"default";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]
  return left === undefined ? undefined : Number(left)
}

/** How long it says so for, in seconds. */
export function secondsLeft({ headers }: { headers: Headers }): number | undefined {
  const left = /^"default";r=\d+;t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1]
  return left === undefined ? undefined : Number(left)
}
