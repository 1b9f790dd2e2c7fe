// The rows that a memory leaves for the ranking, and that none of them outlives it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../src/clock.ts'
import { newId } from '../../src/ids.ts'
import { analyse } from '../../src/memory/embedded/analyse.ts'
import { deleteMemory, insertMemory } from '../../src/memory/embedded/store.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { tellMind } from './told-mind.ts'

const TABLES = ['memory', 'posting', 'mindStat', 'mindAuthor'] as const

describe.each(databases)('postings on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())

  const emptyMind = async () => (await tellMind(test.service, [])).mindKey

  const tell = (mindKey: number, seq: number, content: string, occurredAt = '2031-05-01T10:00:00.000Z') =>
    test.service.database.transaction((tx) =>
      insertMemory(
        tx,
        mindKey,
        { ...{ seq, id: newId('mem'), content, contentHash: content }, occurredAt, createdAt: now() },
        { ...analyse(content), spans: [] }
      )
    )
  const forget = (mindKey: number, seq: number) =>
    test.service.database.transaction((tx) => deleteMemory(tx, mindKey, seq))

  /** Every row of the Mind but for its key and what is made up. */
  const rowsOf = async (mindKey: number) => {
    const rows: unknown[] = []
    for (const table of TABLES) {
      const found = await test.service.database.read
        .selectFrom(table)
        .where('mindKey', '=', mindKey)
        .selectAll()
        .execute()
      rows.push(...found.map((row) => JSON.stringify({ ...row, mindKey: 0, id: '', createdAt: '' })).sort())
    }
    return rows
  }

  it('are as if a memory had never been once it is deleted', async () => {
    const [with2, without2] = [await emptyMind(), await emptyMind()]
    await tell(with2, 1, 'Ana: I bought a kayak.')
    await tell(with2, 2, 'Ben: Where will you keep the kayak?')
    await tell(with2, 3, 'Ana: In the garage.')
    expect(await rowsOf(with2)).toContainEqual(expect.stringContaining('"name":"ben"'))
    await forget(with2, 2)
    await tell(without2, 1, 'Ana: I bought a kayak.')
    await tell(without2, 3, 'Ana: In the garage.')
    expect(await rowsOf(with2)).toEqual(await rowsOf(without2))
  })

  it('are all gone with the last memory', async () => {
    const mindKey = await emptyMind()
    await tell(mindKey, 1, 'Ana: I bought a kayak.')
    await forget(mindKey, 1)
    await forget(mindKey, 1)
    expect(await rowsOf(mindKey)).toEqual([])
  })

  it('are deleted also where an older version told other terms', async () => {
    const mindKey = await emptyMind()
    await tell(mindKey, 1, 'Ana: I bought a kayak.')
    await tell(mindKey, 2, 'Ana: I sold the kayak.')
    const expected = await rowsOf(mindKey)
    await tell(mindKey, 3, 'Ana: It was yellow.')
    await test.service.database.transaction(async (tx) => {
      await tx.insertInto('posting').values({ mindKey, term: 'yellowish', seq: 3, mark: 1 }).execute()
      const memory = tx.updateTable('memory').where('mindKey', '=', mindKey).where('seq', '=', 3)
      await memory.set((eb) => ({ postingCount: eb('postingCount', '+', 1) })).execute()
    })
    await forget(mindKey, 3)
    expect(await rowsOf(mindKey)).toEqual(expected)
  })

  it('know their session: turns within half an hour of each other, in the order of telling', async () => {
    const mindKey = await emptyMind()
    const times = ['10:00', '10:29', '10:59', '11:30', '11:31', '09:00', '11:32']
    for (const [index, time] of times.entries())
      await tell(mindKey, index + 1, `Note ${index}`, `2031-05-01T${time}:00.000Z`)
    const turns = await test.service.database.read
      .selectFrom('memory')
      .where('mindKey', '=', mindKey)
      .orderBy('seq')
      .select('turn')
      .execute()
    expect(turns.map(({ turn }) => turn)).toEqual([0, 1, 2, 0, 1, 0, 0])
  })

  // 258 memories; how a turn is counted is no matter of the database.
  it.runIf(kind === 'sqlite')('begin a new session after 256 turns', async () => {
    const texts = Array.from({ length: 258 }, (_, index) => ({
      content: `Note ${index}`,
      occurredAt: '2031-05-01T10:00:00.000Z'
    }))
    const { mindKey } = await tellMind(test.service, texts)
    const turns = await test.service.database.read
      .selectFrom('memory')
      .where('mindKey', '=', mindKey)
      .orderBy('seq')
      .select('turn')
      .execute()
    expect(turns.slice(254).map(({ turn }) => turn)).toEqual([254, 255, 0, 1])
  })
})
