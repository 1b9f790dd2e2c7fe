// Behind a real PgBouncer; pooler.long.test.ts starts real processes, many times.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { startLimited } from '../limits/limited-server.ts'
import { environmentAt, mindgate, mindgateProcess } from '../support/cli.ts'
import { makeEmptyPlace, makeTestPlace, type TestPlace } from '../support/databases.ts'
import { makePartner } from '../support/fixture.ts'
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { connected } from '../support/postgres.ts'
import { advisoryLocks } from './advisory-locks.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const keep = (place: TestPlace) => {
  cleanups.push(place.remove)
  return place
}

const open = async (place: TestPlace, busyDeadlineMs = 5_000): Promise<Database> => {
  const database = await openDatabase({
    location: place.databaseUrl ?? '',
    maxConnections: 2,
    busyDeadlineMs,
    onIdleError: () => undefined
  })
  cleanups.push(() => database.close())
  return database
}

const openMany = (place: TestPlace) => Promise.all(Array.from({ length: 6 }, () => open(place)))

/** The lock of Kysely's migrator, by which earlier releases could be left waiting for ever. */
const LEFT_BEHIND = '3853314791062309107'

describe('behind PgBouncer in transaction mode', () => {
  let pooler: PgBouncer
  beforeAll(async () => {
    pooler = await startPgBouncer('transaction')
  })
  afterAll(() => pooler.stop())

  it('starts many times at once, on an empty database and again, and leaves no lock', async () => {
    const place = keep(await makeEmptyPlace('postgres'))
    for (let round = 0; round < 2; round += 1) {
      for (const database of await openMany(pooler.behind(place))) {
        expect(await database.read.selectFrom('setting').selectAll().execute()).toEqual([
          { name: 'schemaMajor', value: '1' }
        ])
      }
      expect(await advisoryLocks(place)).toEqual([])
    }
  })

  it('starts although an earlier release has left its lock on a pooled connection', async () => {
    const place = keep(await makeEmptyPlace('postgres'))
    await connected(place.databaseUrl ?? '', async (client) => {
      await client.query(`select pg_advisory_lock(${LEFT_BEHIND})`)
      await openMany(pooler.behind(place))
    })
  })

  it('gives up on a row that another transaction holds, although the pooler drops lock_timeout', async () => {
    const place = keep(await makeTestPlace('postgres'))
    const database = await open(pooler.behind(place), 300)
    const write = () => database.transaction((tx) => tx.updateTable('setting').set({ value: '2' }).execute())
    await database.transaction((tx) => tx.insertInto('setting').values({ name: 'row', value: '1' }).execute())
    await connected(place.databaseUrl ?? '', async (client) => {
      await client.query('begin')
      await client.query('select 1 from setting for update')
      await expect(write()).rejects.toMatchObject({ code: 'database_busy' })
    })
  })

  it('counts requests together with another process', async () => {
    const place = keep(await makeTestPlace('postgres'))
    const servers = [
      await startLimited(pooler.behind(place), { quota: 10 }),
      await startLimited(pooler.behind(place), { quota: 10 })
    ]
    for (const { stop } of servers) cleanups.push(stop)
    const [first] = servers
    if (!first) throw new Error('No server')
    const { key } = await makePartner(first.service)
    const answers = await Promise.all(
      servers.flatMap(({ list }) => Array.from({ length: 10 }, () => list(key)))
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(servers.flatMap(({ logs }) => logs).filter((line) => line.includes('can’t count'))).toEqual([])
  })

  it('makes and restores no backup: others would get connections without a search_path', async () => {
    const place = keep(await makeTestPlace('postgres'))
    const env = environmentAt(pooler.behind(place))
    const file = `${place.dataDir}/mindgate.dump`
    const direct = await mindgate(environmentAt(place), ['backup', '--to', file])
    expect(direct.code).toBe(0)
    for (const args of [
      ['backup', '--to', `${file}.2`],
      ['restore', '--from', file]
    ]) {
      const { code, stderr } = await mindgate(env, args)
      expect([code, stderr]).toEqual([1, expect.stringContaining('PostgreSQL’s own address')])
    }
  })
})

describe('behind PgBouncer in session mode', () => {
  it('starts many times at once and backs up', async () => {
    const pooler = await startPgBouncer('session')
    cleanups.push(() => pooler.stop())
    const place = keep(await makeEmptyPlace('postgres'))
    await openMany(pooler.behind(place))
    expect(await advisoryLocks(place)).toEqual([])
    const file = `${place.dataDir}/mindgate.dump`
    const { code } = await mindgate(environmentAt(pooler.behind(place)), ['backup', '--to', file])
    expect(code).toBe(0)
  })
})

describe('behind PgBouncer in statement mode', () => {
  it.each([
    ['empty', makeEmptyPlace],
    ['whole', makeTestPlace]
  ])('every command and doctor name the setting, on a database that is %s', async (_, make) => {
    const pooler = await startPgBouncer('statement')
    cleanups.push(() => pooler.stop())
    const place = keep(await make('postgres'))
    const env = environmentAt(pooler.behind(place))
    const ends = await Promise.all([
      mindgateProcess(env, ['serve']),
      mindgate(env, ['partner', 'list']),
      mindgate(env, ['backup', '--to', `${place.dataDir}/b`])
    ])
    const refused = { code: 1, stdout: '', stderr: expect.stringContaining('pool_mode = transaction') }
    expect(ends).toEqual([refused, refused, refused])
    const { code, stdout } = await mindgate(env, ['doctor'])
    expect([code, stdout]).toEqual([1, expect.stringContaining('pool_mode = transaction')])
    expect(await advisoryLocks(place)).toEqual([])
  })
})

describe('behind PgBouncer as it is installed', () => {
  it('names the setting that lets us in', async () => {
    const pooler = await startPgBouncer('transaction', '')
    cleanups.push(() => pooler.stop())
    const env = environmentAt(pooler.behind(keep(await makeTestPlace('postgres'))))
    const { code, stderr } = await mindgate(env, ['partner', 'list'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('ignore_startup_parameters = options')])
  })
})
