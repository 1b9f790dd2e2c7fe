// Where several processes share PostgreSQL they share the budgets, and where it can't count they serve all the same.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { forgetEndedWindows } from '../../src/limits/ended-windows.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { makePartner } from '../support/world.ts'
import { type LimitedServer, openLimited, remaining, startLimited } from './limited-server.ts'

const WAITS = { timeout: 20_000, interval: 50 }

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const open = async (quota: number, windowSeconds?: number) => {
  const server = await openLimited('postgres', { quota, ...(windowSeconds ? { windowSeconds } : {}) })
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
  it('share a key’s budget', async () => {
    const place = await makeTestPlace('postgres')
    cleanups.push(() => place.remove())
    const setUp = await startLimited(place, { quota: 0 })
    const { key } = await makePartner(setUp.service)
    await setUp.stop()
    const [one, other] = await Promise.all([startProcess(place), startProcess(place)])
    const seen: number[] = []
    for (const url of [one, other, one, other, one, other]) {
      const answer = await fetch(`${url}/api/v1/mcp/customers`, {
        headers: { Authorization: `Bearer ${key}` }
      })
      seen.push(answer.status)
    }
    expect(seen).toEqual([200, 200, 200, 200, 429, 429])
  })

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
    for (let i = 0; i < 100; i += 1) await list(partner.key)
    await vi.waitFor(async () => {
      const { rows } = await admin.query('select points from "rateLimit"')
      expect(rows).toEqual([{ points: 100 }])
    }, WAITS)
    const { rows } = await admin.query('select count(*)::int as n from written')
    expect(rows[0].n).toBeLessThan(50)
  })
})

describe('a database that can’t count', () => {
  it('does not keep requests from being served, is warned of once, and counts again', async () => {
    const server = await open(1000)
    const { list, partner, place } = server
    await list(partner.key)
    const admin = await administer(place)
    await admin.query('alter table "rateLimit" rename to "elsewhere"')
    await vi.waitFor(async () => {
      const { status, headers } = await list(partner.key)
      expect([status, headers.has('ratelimit')]).toEqual([200, true])
      expect(linesSaying(server, UNSHARED)).toHaveLength(1)
    }, WAITS)
    expect(await statuses([server], partner.key, 50)).toEqual(Array(50).fill(200))
    await admin.query('alter table "elsewhere" rename to "rateLimit"')
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

  it('holds nobody up for longer than a second or two when it hangs', async () => {
    const { list, partner, place } = await open(10)
    const admin = await administer(place)
    await admin.query('begin')
    await admin.query('lock table "rateLimit" in access exclusive mode')
    const startedAt = performance.now()
    expect((await list(partner.key)).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    const then = performance.now()
    expect((await list(partner.key)).status).toBe(200)
    expect(performance.now() - then).toBeLessThan(900)
  })
})

describe('windows that have ended', () => {
  it('leave the database, and those that run stay', async () => {
    const { service } = await open(5)
    const ends = { past: Date.now() - 1, 'long-past': 1, running: Date.now() + 60_000 }
    await service.database.transaction(async (tx) => {
      for (const [key, expire] of Object.entries(ends))
        await tx.insertInto('rateLimit').values({ key, points: 1, expire }).execute()
    })
    const forget = () => service.database.transaction((tx) => forgetEndedWindows(tx, 1))
    expect([await forget(), await forget(), await forget()]).toEqual([1, 1, 0])
    const left = await service.database.read.selectFrom('rateLimit').select('key').execute()
    expect(left).toEqual([{ key: 'running' }])
  })
})

/** A process that serves at that place with a budget of four requests; resolves to its URL. */
async function startProcess({ dataDir, databaseUrl = '' }: TestPlace): Promise<string> {
  const script = new URL('./serving-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      RATE_LIMIT: '4',
      LOG_LEVEL: 'silent'
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit')
  cleanups.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return JSON.parse(line).url
}
