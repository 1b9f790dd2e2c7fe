// Queries that are compiled once, and the handle that runs them without taking turns.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compiledOnce, type Slot } from '../../src/database/compiled.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'

const settingsNamed = compiledOnce((db, name: Slot<string>, value: Slot<string>, limit: Slot<number>) =>
  db
    .selectFrom('setting')
    .where('name', 'like', name)
    .where('value', '=', value)
    .orderBy('name')
    .limit(limit)
    .select(['name', 'value'])
)

describe.each(databases)('a query that is compiled once, on %s', (kind) => {
  let opened: TestService

  beforeAll(async () => {
    opened = await openTestService(kind)
    const named = (name: string, value: string) => ({ name, value })
    await opened.service.database.transaction((tx) =>
      tx
        .insertInto('setting')
        .values([named('one', 'x'), named('once', 'x'), named('only', 'y'), named('two', 'x')])
        .execute()
    )
  })
  afterAll(() => opened.close())

  it('takes the values of each call, in the order of its slots', async () => {
    const { read } = opened.service.database
    expect(await settingsNamed(read, 'on%', 'x', 9)).toEqual([
      { name: 'once', value: 'x' },
      { name: 'one', value: 'x' }
    ])
    expect(await settingsNamed(read, 'on%', 'x', 1)).toEqual([{ name: 'once', value: 'x' }])
    expect(await settingsNamed(read, 'on%', 'y', 9)).toEqual([{ name: 'only', value: 'y' }])
  })

  it('takes a value for what it is, whatever it spells', async () => {
    const hostile = `x' or '1'='1`
    expect(await settingsNamed(opened.service.database.read, '%', hostile, 9)).toEqual([])
  })

  it('sees what its own transaction has written, and others see it after the commit', async () => {
    const { database } = opened.service
    const inside = await database.transaction(async (tx) => {
      await tx.insertInto('setting').values({ name: 'fresh', value: 'z' }).execute()
      return settingsNamed(tx, 'fresh', 'z', 9)
    })
    expect(inside).toEqual([{ name: 'fresh', value: 'z' }])
    expect(await settingsNamed(database.read, 'fresh', 'z', 9)).toEqual(inside)
  })

  it('refuses the outer handle inside a transaction', async () => {
    const { database } = opened.service
    const leak = database.transaction(() => settingsNamed(database.read, 'one', 'x', 1))
    await expect(leak).rejects.toThrow('outer database handle')
  })

  it('refuses the outer handle although another transaction of this process has ended meanwhile', async () => {
    const { database } = opened.service
    const beside = await openTestService(kind)
    let goOn = () => {}
    const otherEnded = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const leak = database.transaction(async () => {
      await otherEnded
      return settingsNamed(database.read, 'one', 'x', 1)
    })
    await beside.service.database.transaction((tx) => settingsNamed(tx, 'one', 'x', 1))
    goOn()
    await expect(leak).rejects.toThrow('outer database handle')
    await beside.close()
  })
})
