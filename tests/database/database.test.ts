import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { afterCommit } from '../../src/database/guard.ts'
import { databases, makeEmptyPlace, type TestPlace } from '../support/databases.ts'

const open = (place: TestPlace, busyDeadlineMs = 5_000) =>
  openDatabase({
    location: place.databaseUrl ?? `${place.dataDir}/mindgate.db`,
    maxConnections: 5,
    busyDeadlineMs,
    onIdleError: (error) => {
      throw error
    }
  })

const setting = (name: string, value = '1') => ({ name, value })

describe.each(databases)('the database on %s', (kind) => {
  let place: TestPlace
  let database: Awaited<ReturnType<typeof open>>

  beforeAll(async () => {
    place = await makeEmptyPlace(kind)
    database = await open(place)
  })
  afterAll(async () => {
    await database.close()
    await place.remove()
  })

  it('comes up once when many processes start at the same moment', async () => {
    const fresh = await makeEmptyPlace(kind)
    const opened = await Promise.all([open(fresh), open(fresh), open(fresh)])
    const rows = await opened[0]?.read.selectFrom('setting').selectAll().execute()
    expect(rows).toEqual([{ name: 'schemaMajor', value: '1' }])
    for (const one of opened) await one.close()
    await fresh.remove()
  })

  it('rolls everything back when the work throws', async () => {
    const work = database.transaction(async (tx) => {
      await tx.insertInto('setting').values(setting('rolled-back')).execute()
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    const row = await database.read
      .selectFrom('setting')
      .where('name', '=', 'rolled-back')
      .selectAll()
      .execute()
    expect(row).toEqual([])
  })

  it('refuses an outer handle inside a transaction instead of waiting for ever', async () => {
    const leak = database.transaction(async () => database.read.selectFrom('setting').selectAll().execute())
    await expect(leak).rejects.toThrow('outer database handle')
    const nested = database.transaction(async () => database.transaction(async () => 1))
    await expect(nested).rejects.toThrow('outer database handle')
  })

  it('runs commit hooks after the commit and drops them on a rollback', async () => {
    const seen: string[] = []
    await database.transaction(async () => afterCommit(() => seen.push('committed')))
    await database
      .transaction(async () => {
        afterCommit(() => seen.push('rolled back'))
        throw new Error('no')
      })
      .catch(() => undefined)
    expect(seen).toEqual(['committed'])
  })

  it('keeps every increment of writers that race through two openings of the same database', async () => {
    // In one process each opening that waits in place keeps the other one from going on, as two processes wouldn't: on a
    // slow machine the waits add up to more than a service would bear.
    const [first, beside] = [await open(place, 60_000), await open(place, 60_000)]
    await first.transaction((tx) => tx.insertInto('setting').values(setting('counter', '0')).execute())
    const increment = (db: typeof database) =>
      db.transaction(async (tx) => {
        // The update locks the row on PostgreSQL before it is read.
        await tx
          .updateTable('setting')
          .set((eb) => ({ value: eb.ref('value') }))
          .where('name', '=', 'counter')
          .execute()
        const { value } = await tx
          .selectFrom('setting')
          .where('name', '=', 'counter')
          .select('value')
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('setting')
          .set({ value: String(Number(value) + 1) })
          .where('name', '=', 'counter')
          .execute()
      })
    try {
      await Promise.all(Array.from({ length: 40 }, (_, i) => increment(i % 2 ? first : beside)))
    } finally {
      await Promise.all([first.close(), beside.close()])
    }
    const row = await database.read
      .selectFrom('setting')
      .where('name', '=', 'counter')
      .select('value')
      .executeTakeFirstOrThrow()
    expect(row.value).toBe('40')
  })

  it('answers counts and sums as numbers', async () => {
    const row = await database.read
      .selectFrom('billingEntry')
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        eb.fn.coalesce(eb.fn.sum<number>('amountMicros'), eb.lit(0)).as('sum')
      ])
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ count: 0, sum: 0 })
  })
})
