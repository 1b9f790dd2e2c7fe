// One stretch of load on one server.
import autocannon from 'autocannon'
import type { ServerProcess } from './processes.ts'

/** One request, sent over and over. */
export interface Shot {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** Whether `[<id>]` in it is another text each time. */
  isUnique?: boolean
}

export interface Load {
  seconds: number
  connections: number
}

export interface Reading {
  /** Answered in all. */
  requests: number
  requestsPerSecond: number
  /** CPU time of the server per request, in microseconds. */
  cpuMicros: number | undefined
  /** How much of one core the server used, 0 to 1: below about 0.9 the client, not the server, was the limit. */
  busy: number | undefined
  /** In milliseconds. */
  latencyP99: number
}

/** The answer to a single shot, as text. */
export async function fire({ url }: Pick<ServerProcess, 'url'>, shot: Shot): Promise<string> {
  const { method, path, headers, body } = shot
  const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`)
  return text
}

/**
 * Loads the server for a while, in which a slow machine may answer nothing.
 *
 * @throws Error when any answer was no success
 */
export async function load(
  server: ServerProcess,
  shot: Shot,
  { seconds, connections }: Load
): Promise<Reading> {
  const cpuBefore = server.cpuMicros()
  const result = await autocannon({
    url: server.url + shot.path,
    method: shot.method,
    headers: shot.headers,
    ...(shot.body === undefined ? {} : { body: shot.body }),
    connections,
    idReplacement: shot.isUnique ?? false,
    duration: seconds,
    sampleInt: 100
  })
  const cpuAfter = server.cpuMicros()
  const answered = result['2xx']
  if (result.non2xx + result.errors + result.timeouts > 0) {
    throw new Error(
      `${shot.path}: ${answered} successes, ${result.non2xx} refusals, ${result.errors} errors, ${result.timeouts} timeouts`
    )
  }
  const cpuMicros = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore
  return {
    requests: answered,
    requestsPerSecond: answered / result.duration,
    cpuMicros: cpuMicros === undefined || answered === 0 ? undefined : cpuMicros / answered,
    busy: cpuMicros === undefined ? undefined : cpuMicros / (result.duration * 1_000_000),
    latencyP99: result.latency.p99
  }
}
