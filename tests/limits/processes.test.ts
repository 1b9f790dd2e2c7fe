// Where several processes share PostgreSQL they share the budgets, and where it can't count they serve all the same.
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TestPlace } from '../support/databases.ts'
import { openTestService } from '../support/service.ts'
import { sweepAll } from '../support/sweep.ts'
import { type LimitedServer, openLimited, remaining, startLimited } from './limited-server.ts'

const WAITS = { timeout: 20_000, interval: 50 }

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const open = async (quota: number) => {
  const server = await openLimited('postgres', { quota })
  cleanups.push(() => server.close())
  return server
}

/** Another server on the same database, with connections of its own. */
const startBeside = async (place: TestPlace, quota: number) => {
  const server = await startLimited(place, { quota })
  cleanups.push(() => server.stop())
  return server
}

/** A session of an administrator on that database. */
const administer = async ({ databaseUrl }: TestPlace) => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  cleanups.push(() => client.end())
  return client
}

/** When the limits' connections asked for something, each the last time. */
const lastAsked = async (admin: pg.Client) => {
  const { rows } = await admin.query(
    `select query_start from pg_stat_activity
      where datname = current_database() and application_name = 'mindgate limits' order by query_start`
  )
  return rows
}

const statuses = async (servers: readonly LimitedServer[], key: string, count: number) => {
  const answers = await Promise.all(
    servers.flatMap((server) => Array.from({ length: count }, () => server.list(key)))
  )
  return answers.map(({ status }) => status)
}

const linesSaying = ({ logs }: LimitedServer, message: string) =>
  logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)

const UNSHARED = 'the database can’t count requests; this process counts its own'

describe('processes on one PostgreSQL', () => {
  it('together admit no more than one would, however many requests come at once', async () => {
    const first = await open(40)
    const servers = [first, await startBeside(first.place, 40), await startBeside(first.place, 40)]
    const seen = await statuses(servers, first.partner.key, 30)
    expect(seen.filter((status) => status === 200)).toHaveLength(40)
    expect(seen.filter((status) => status === 429)).toHaveLength(50)
  })

  it('learn of each other’s requests also while a key is far from its limit', async () => {
    const first = await open(1000)
    const second = await startBeside(first.place, 1000)
    for (const server of [first, second, first, second]) await server.list(first.partner.key)
    await vi.waitFor(async () => {
      const answers = [await first.list(first.partner.key), await second.list(first.partner.key)]
      const [one = 0, other = 0] = answers.map(remaining)
      // The second of the two answers has at least the first one's request in it.
      expect(other).toBeLessThan(one)
      expect(one).toBeLessThan(994)
    }, WAITS)
  })

  it('write far fewer times than they are called', async () => {
    const { list, partner, place } = await open(1_000_000)
    const admin = await administer(place)
    await admin.query('create table written (n int)')
    await admin.query(
      `create function note() returns trigger language plpgsql as 'begin insert into written values (1); return null; end'`
    )
    await admin.query(
      'create trigger noted after insert or update on "rateLimit" for each row execute function note()'
    )
    const startedAt = performance.now()
    for (let i = 0; i < 100; i += 1) await list(partner.key)
    await vi.waitFor(async () => {
      const { rows } = await admin.query('select points from "rateLimit"')
      expect(rows).toEqual([{ points: 100 }])
    }, WAITS)
    const { rows } = await admin.query('select count(*)::int as n from written')
    // One to begin with, then ten in a second, and one where nothing was told for a second.
    expect(rows[0].n).toBeLessThan(2 + 12 * Math.ceil((performance.now() - startedAt) / 1_000))
  })
})

describe('a database that can’t count', () => {
  it('does not keep requests from being served, is warned of once, and counts again', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const server = await open(1000)
    const { list, partner, place } = server
    await list(partner.key)
    const admin = await administer(place)
    await admin.query('alter table "rateLimit" rename to "elsewhere"')
    // What was told longer ago than this is asked for again.
    vi.advanceTimersByTime(1_000)
    const { status, headers } = await list(partner.key)
    expect([status, headers.has('ratelimit')]).toEqual([200, true])
    expect(linesSaying(server, UNSHARED)).toHaveLength(1)
    expect(await statuses([server], partner.key, 50)).toEqual(Array(50).fill(200))
    await admin.query('alter table "elsewhere" rename to "rateLimit"')
    await list(partner.key)
    expect(linesSaying(server, 'rate limits are shared again')).toEqual([])
    vi.advanceTimersByTime(5_000)
    await vi.waitFor(async () => {
      await list(partner.key)
      expect(linesSaying(server, 'rate limits are shared again')).toHaveLength(1)
    }, WAITS)
    expect(linesSaying(server, UNSHARED)).toHaveLength(1)
  })

  it('leaves each process with a budget of its own', async () => {
    const { list, partner, place, ...server } = await open(5)
    const admin = await administer(place)
    await admin.query('drop table "rateLimit"')
    const seen = await statuses([{ ...server, list }], partner.key, 8)
    expect(seen.filter((status) => status === 200)).toHaveLength(5)
    expect(seen.filter((status) => status === 429)).toHaveLength(3)
  })

  it('holds nobody up when it hangs, and is not asked again at once', async () => {
    // As long as the clock stands still, the table is left alone.
    vi.useFakeTimers({ toFake: ['performance'] })
    const server = await open(10)
    const admin = await administer(server.place)
    await admin.query('begin')
    await admin.query('lock table "rateLimit" in access exclusive mode')
    // All the while nobody lets go of the table: an answer means that it was not waited for.
    expect((await server.list(server.partner.key)).status).toBe(200)
    expect(linesSaying(server, UNSHARED)).toHaveLength(1)
    const asked = await lastAsked(admin)
    expect((await server.list(server.partner.key)).status).toBe(200)
    expect(await lastAsked(admin)).toEqual(asked)
  })
})

describe('windows that have ended', () => {
  it('leave the database, and those that run stay', async () => {
    // A service that has been started sweeps by itself.
    const { service, close } = await openTestService('postgres')
    cleanups.push(close)
    const ends = { past: Date.now() - 1, 'long-past': 1, running: Date.now() + 60_000 }
    await service.database.transaction(async (tx) => {
      for (const [key, expire] of Object.entries(ends))
        await tx.insertInto('rateLimit').values({ key, points: 1, expire }).execute()
    })
    await sweepAll(service)
    const left = await service.database.read.selectFrom('rateLimit').select('key').execute()
    expect(left).toEqual([{ key: 'running' }])
  })
})
