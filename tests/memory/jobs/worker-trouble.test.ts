import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { fromNow, HOUR_MS, MINUTE_MS, now } from '../../../src/clock.ts'
import type { Database } from '../../../src/database/database.ts'
import { putAside, requeueFailures } from '../../../src/memory/jobs/store.ts'
import { type MindWork, WorkPostponed } from '../../../src/memory/jobs/work.ts'
import { startMindWork } from '../../../src/memory/jobs/worker.ts'
import { databases } from '../../support/databases.ts'
import { moveClock } from '../../support/moved-clock.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { removeMinds } from '../remove-minds.ts'
import { tellMind } from '../told-mind.ts'

describe.each(databases)('the work behind the Minds in trouble on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterEach(() => test.service.database.transaction((tx) => removeMinds(tx)))
  afterAll(() => test.close())

  const working = (more: Partial<MindWork> = {}): MindWork => ({
    kind: 'consolidate',
    ...{ maxBatch: 3, dueAfter: 1, maxAgeMs: 60_000, concurrency: 2, deadlineMs: 10_000, madeWith: null },
    perform: async () => ({ apply: async () => undefined, usage: [] }),
    ...more
  })
  const start = (work: MindWork, changed: Partial<Database> = {}) =>
    startMindWork(
      { database: { ...test.service.database, ...changed }, log: test.service.log, lookMs: 60_000 },
      work
    )

  it('leaves nothing late that was told by a clock that ran ahead', async () => {
    const { read } = test.service.database
    const clock = moveClock(Date.now() + 7 * HOUR_MS)
    await tellMind(test.service, ['one', 'two', 'three', 'four']).finally(clock.restore)
    const worker = start(working({ dueAfter: 3 }))
    await worker.drain()
    await worker.stop()
    const { waiting, dueAt } = await read.selectFrom('mindJob').selectAll().executeTakeFirstOrThrow()
    expect(waiting).toBe(1)
    expect(dueAt && dueAt <= fromNow(MINUTE_MS)).toBe(true)
  })

  it('puts a memory aside that fails again and again while the same is done for others', async () => {
    const { database } = test.service
    const bad = await tellMind(test.service, ['bad', 'fine'])
    const given: string[] = []
    const work = working({
      async perform({ memories }) {
        if (memories.some(({ content }) => content === 'bad')) throw new WorkPostponed('It took too long.')
        given.push(...memories.map(({ content }) => content))
        return { apply: async () => undefined, usage: [] }
      }
    })
    const worker = start(work)
    const tryAgain = async () => {
      await worker.drain()
      await database.transaction((tx) => tx.updateTable('mindJob').set({ dueAt: now() }).execute())
    }
    for (let attempt = 0; attempt < 12; attempt += 1) await tryAgain()
    expect(given).toEqual([])
    await tellMind(test.service, ['other'])
    await worker.stop()
    const again = start(work)
    await again.drain()
    await database.transaction((tx) =>
      tx.updateTable('mindJob').set({ dueAt: now() }).where('mindKey', '=', bad.mindKey).execute()
    )
    await again.drain()
    await again.stop()
    expect(given).toEqual(['other', 'fine'])
    const failures = await database.read.selectFrom('mindJobFailure').selectAll().execute()
    expect(failures).toMatchObject([{ mindKey: bad.mindKey, seq: 1, error: 'It took too long.' }])
  })

  it('tries again what was given up on behind one Mind alone', async () => {
    const { database } = test.service
    const minds = [await tellMind(test.service, ['bad']), await tellMind(test.service, ['bad'])]
    const [mine = 0, other = 0] = minds.map(({ mindKey }) => mindKey)
    const tried = await database.transaction(async (tx) => {
      for (const mindKey of [mine, other]) {
        await putAside(tx, { kind: 'consolidate', mindKey, seq: 1 }, 'It is bad.')
      }
      return requeueFailures(tx, mine)
    })
    const failures = await database.read.selectFrom('mindJobFailure').selectAll().orderBy('mindKey').execute()
    expect(tried).toBe(1)
    expect(failures).toMatchObject([
      { mindKey: mine, isQueued: 1 },
      { mindKey: other, isQueued: 0 }
    ])
  })

  it('misses no memory that is stored while it finds nothing to do', async () => {
    const { database } = test.service
    const { mindKey } = await tellMind(test.service, ['one', 'two'])
    const whole = start(working())
    await whole.drain()
    await whole.stop()
    await database.transaction(async (tx) => {
      await tx.updateTable('mindJob').set({ watermark: 1, dueAt: now() }).execute()
      await test.service.memoryEngine.forget(tx, mindKey, 2)
    })
    const given: number[] = []
    let isEmpty = false
    const work = working({
      fitting(memories) {
        isEmpty = memories.length === 0
        return memories.length
      },
      async perform({ memories }) {
        given.push(...memories.map(({ seq }) => seq))
        return { apply: async () => undefined, usage: [] }
      }
    })
    const worker = start(work, {
      async transaction(change) {
        if (isEmpty) {
          isEmpty = false
          const told = { content: 'late', occurredAt: now() }
          const late = await test.service.memoryEngine.prepare(told, 'ptn_test')
          await database.transaction(async (tx) => {
            const place = { mindKey, seq: 3, id: 'mem_late', contentHash: 'late', createdAt: now() }
            await late(tx, place)
            await tx.updateTable('mind').set({ nextSeq: 4 }).where('key', '=', mindKey).execute()
          })
        }
        return database.transaction(change)
      }
    })
    await worker.drain()
    await worker.stop()
    expect(given).toEqual([3])
  })

  it('tries half as many where a whole batch takes too long', async () => {
    const { mindKey } = await tellMind(test.service, ['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
    const sizes: number[] = []
    const work = working({
      maxBatch: 8,
      async perform({ memories }) {
        sizes.push(memories.length)
        if (memories.length > 3) throw new WorkPostponed('It took too long.')
        return { apply: async () => undefined, usage: [] }
      }
    })
    const worker = start(work)
    for (let round = 0; round < 3; round += 1) {
      await worker.drain()
      const { database } = test.service
      await database.transaction((tx) =>
        tx.updateTable('mindJob').set({ dueAt: now() }).where('mindKey', '=', mindKey).execute()
      )
    }
    await worker.stop()
    expect(sizes.slice(0, 3)).toEqual([7, 4, 2])
  })

  it('waits for its next look where nothing can be written', async () => {
    await tellMind(test.service, ['one'])
    let isBroken = false
    let attempts = 0
    let tell = () => {}
    const { database } = test.service
    const worker = start(working({ dueAfter: 1 }), {
      async transaction(change) {
        if (!isBroken) return database.transaction(change)
        attempts += 1
        tell()
        throw new Error('database or disk is full')
      }
    })
    await worker.drain()
    await database.transaction((tx) => tx.updateTable('mindJob').set({ dueAt: now() }).execute())
    isBroken = true
    for (let look = 1; look <= 3; look += 1) {
      const tried = new Promise<void>((resolve) => {
        tell = resolve
      })
      worker.wake()
      await tried
      await setImmediate()
    }
    await worker.stop()
    // Once for each look: none of them woke it by itself.
    expect(attempts).toBe(3)
  })
})
