// Statements by name on PostgreSQL, and where names can't be kept.
import { type RawBuilder, sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { connected } from '../support/postgres.ts'

/** More than it takes for a statement to get a name. */
const OFTEN = 12

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const makePlace = async () => {
  const place = await makeTestPlace('postgres')
  cleanups.push(place.remove)
  return place
}

async function open(place: TestPlace, prepares: boolean, maxConnections = 2): Promise<Database> {
  const database = await openDatabase({
    location: place.databaseUrl ?? '',
    maxConnections,
    prepares,
    busyDeadlineMs: 5_000,
    onIdleError: () => undefined
  })
  cleanups.push(() => database.close())
  return database
}

const readOften = async ({ read }: Database, statement: (number: number) => RawBuilder<unknown>) => {
  for (let number = 0; number < OFTEN; number += 1) await statement(number).execute(read)
}

const namedIn = async ({ read }: Database) => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
    read
  )
  return rows.map(({ statement }) => statement)
}

const numberOf = (number: number) => sql<{ number: number }>`select ${number}::int as number`

describe('a statement that comes often', () => {
  it('is parsed once a connection, and answers for the values of each call', async () => {
    const database = await open(await makePlace(), true, 1)
    await numberOf(1).execute(database.read)
    expect(await namedIn(database)).toEqual([])
    await readOften(database, numberOf)
    expect(await namedIn(database)).toEqual(['select $1::int as number'])
    expect((await numberOf(4711).execute(database.read)).rows).toEqual([{ number: 4711 }])
  })

  it('has no name where that is switched off', async () => {
    const database = await open(await makePlace(), false, 1)
    await readOften(database, numberOf)
    expect(await namedIn(database)).toEqual([])
  })

  it('gets none once 250 have one, so that no connection keeps plans without an end', async () => {
    const database = await open(await makePlace(), true, 1)
    for (let length = 0; length < 260; length += 1) {
      await readOften(database, (number) => sql`select ${number}::int as ${sql.raw(`n${length}`)}`)
    }
    expect(await namedIn(database)).toHaveLength(250)
  })

  it('goes on when a migration of another process changes what it answers', async () => {
    const place = await makePlace()
    const database = await open(place, true)
    const settings = () =>
      database.read.selectFrom('setting').where('name', '=', 'known').selectAll().execute()
    const write = (value: string) =>
      database.transaction(async (tx) => {
        const found = await tx.selectFrom('setting').where('name', '=', 'known').selectAll().execute()
        if (found.length === 0) await tx.insertInto('setting').values({ name: 'known', value }).execute()
        else await tx.updateTable('setting').set({ value }).where('name', '=', 'known').execute()
      })
    for (let number = 0; number < OFTEN; number += 1) await write(String(number))
    await Promise.all(Array.from({ length: 2 * OFTEN }, settings))
    await connected(place.databaseUrl ?? '', (client) =>
      client.query('alter table setting add column later text')
    )
    await write('later')
    expect(await settings()).toEqual([{ name: 'known', value: 'later', later: null }])
  })
})

describe('behind a pooler that keeps no account of names', () => {
  it('reads and writes as before, in transactions as well', async () => {
    const place = await makePlace()
    const pooler = await startPgBouncer('transaction')
    cleanups.push(() => pooler.stop())
    const databases = await Promise.all(Array.from({ length: 3 }, () => open(pooler.behind(place), true, 10)))
    const work = databases.map(async (database, index) => {
      const name = `counter ${index}`
      const increase = () =>
        database.transaction(async (tx) => {
          const row = await tx.selectFrom('setting').where('name', '=', name).selectAll().executeTakeFirst()
          const value = String(Number(row?.value ?? 0) + 1)
          if (!row) return tx.insertInto('setting').values({ name, value }).execute()
          return tx.updateTable('setting').set({ value }).where('name', '=', name).execute()
        })
      for (let number = 0; number < 3 * OFTEN; number += 1) await increase()
      // Each on whatever connection of the pooler's is free.
      const reads = Array.from({ length: 10 * OFTEN }, (_, number) => numberOf(number).execute(database.read))
      const numbers = (await Promise.all(reads)).map(({ rows }) => rows[0]?.number)
      const kept = await database.read.selectFrom('setting').where('name', '=', name).selectAll().execute()
      return { numbers, kept: kept.map(({ value }) => value) }
    })
    const numbers = Array.from({ length: 10 * OFTEN }, (_, number) => number)
    expect(await Promise.all(work)).toEqual(databases.map(() => ({ numbers, kept: [String(3 * OFTEN)] })))
  })
})
