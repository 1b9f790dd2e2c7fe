// The mixed day on one build: as fast as it answers, or at a given rate whether it answers or not.
import { setTimeout as sleep } from 'node:timers/promises'
import { type DayRequest, KINDS, type Kind } from './day-requests.ts'
import { fire } from './load.ts'
import { randomFrom } from './memory-crowd.ts'
import type { ServerProcess } from './processes.ts'

/** One build at work: one process or several on one database. */
export interface Build {
  servers: readonly ServerProcess[]
  /** CPU time so far of each process of the database that works for it; empty where there are none or none can be read. */
  databaseMicros(): Promise<ReadonlyMap<number, number>>
}

export interface Stretch {
  seconds: number
  requests: number
  /** CPU time a request, in milliseconds. */
  serverMs: number | undefined
  databaseMs: number | undefined
  /** How long answers took, in milliseconds; at a given rate, from the moment at which the request was due. */
  latencies: Record<Kind, number[]>
  /** What the failed ones were answered. */
  failures: string[]
  /** Memory of all its processes, in bytes, at the beginning, every `RSS_EVERY_MS` and at the end. */
  rss: number[]
}

const RSS_EVERY_MS = 30_000

/** Each connection sends its next request when the last is answered. */
export const loadClosed = (
  build: Build,
  requests: Iterator<DayRequest, never>,
  { seconds, connections }: { seconds: number; connections: number }
): Promise<Stretch> =>
  measured(build, async (send) => {
    const until = performance.now() + seconds * 1_000
    const connection = async (): Promise<void> => {
      while (performance.now() < until) await send(requests.next().value, performance.now())
    }
    await Promise.all(Array.from({ length: connections }, connection))
  })

/** Requests come when they come: at random, so many a second on average. */
export const loadOpen = (
  build: Build,
  requests: Iterator<DayRequest, never>,
  { seconds, perSecond, seed }: { seconds: number; perSecond: number; seed: number }
): Promise<Stretch> =>
  measured(build, async (send) => {
    const random = randomFrom(seed)
    const beganAt = performance.now()
    const underWay = new Set<Promise<void>>()
    for (let due = beganAt; ; ) {
      due -= (Math.log(1 - random()) / perSecond) * 1_000
      if (due > beganAt + seconds * 1_000) break
      const waitMs = due - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      const sent: Promise<void> = send(requests.next().value, due).finally(() => underWay.delete(sent))
      underWay.add(sent)
    }
    await Promise.all(underWay)
  })

async function measured(
  { servers, databaseMicros }: Build,
  work: (send: (request: DayRequest, since: number) => Promise<void>) => Promise<void>
): Promise<Stretch> {
  const latencies: Stretch['latencies'] = { recall: [], remember: [], ask: [], REST: [] }
  const failures: string[] = []
  let sent = 0
  const send = async ({ kind, shot, proof }: DayRequest, since: number): Promise<void> => {
    const server = servers[sent++ % servers.length]
    if (!server) throw new Error('No process is there.')
    try {
      const answer = await fire(server, shot)
      if (!answer.includes(proof)) throw new Error(`${kind} without ${proof}: ${answer.slice(0, 500)}`)
      latencies[kind].push(performance.now() - since)
    } catch (error) {
      // What `fetch` failed with is its cause.
      failures.push(String(error instanceof Error && error.cause ? error.cause : error))
    }
  }
  const rssOf = () => total(servers.map((server) => server.rssBytes()))
  const rss = [rssOf()]
  const sampling = setInterval(() => rss.push(rssOf()), RSS_EVERY_MS)
  const before = { server: total(servers.map(cpuOf)), database: await databaseMicros() }
  const beganAt = performance.now()
  await work(send).finally(() => clearInterval(sampling))
  const seconds = (performance.now() - beganAt) / 1_000
  const after = { server: total(servers.map(cpuOf)), database: await databaseMicros() }
  rss.push(rssOf())
  const requests = KINDS.reduce((sum, kind) => sum + latencies[kind].length, 0)
  const msOf = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined || requests === 0 ? undefined : (to - from) / requests / 1_000
  return {
    ...{ seconds, requests, latencies, failures },
    serverMs: msOf(before.server, after.server),
    databaseMs: after.database.size > 0 ? msOf(0, spent(before.database, after.database)) : undefined,
    rss: rss.filter((bytes) => bytes !== undefined)
  }
}

const cpuOf = (server: ServerProcess) => server.cpuMicros()

/** `undefined` where one has ended meanwhile, and nobody knows what it used. */
const spent = (
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>
): number | undefined =>
  [...before.keys()].some((process) => !after.has(process))
    ? undefined
    : [...after].reduce((sum, [process, micros]) => sum + micros - (before.get(process) ?? 0), 0)

/** `undefined` when one of them is. */
const total = (parts: readonly (number | undefined)[]): number | undefined =>
  parts.reduce((sum, part) => (sum === undefined || part === undefined ? undefined : sum + part), 0)
