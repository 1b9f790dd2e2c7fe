import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { fromNow, now } from '../../../src/clock.ts'
import { newId } from '../../../src/ids.ts'
import { queueMemory } from '../../../src/memory/jobs/queue.ts'
import { type MindJob, requeueFailures } from '../../../src/memory/jobs/store.ts'
import { type Batch, BatchRefused, type MindWork, WorkPostponed } from '../../../src/memory/jobs/work.ts'
import { type MindWorker, startMindWork } from '../../../src/memory/jobs/worker.ts'
import { databases } from '../../support/databases.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { removeMinds } from '../remove-minds.ts'
import { tellMind } from '../told-mind.ts'

describe.each(databases)('the work behind the Minds on %s', (kind) => {
  let test: TestService
  const workers: MindWorker[] = []

  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    await test.service.database.transaction((tx) => removeMinds(tx))
  })
  afterAll(() => test.close())

  /** Work that writes down what it was given, on `setting` rows in the transaction of the watermark. */
  const recording = (given: Batch[], more: Partial<MindWork> = {}): MindWork => ({
    kind: 'consolidate',
    maxBatch: 3,
    dueAfter: 1,
    maxAgeMs: 60_000,
    concurrency: 2,
    deadlineMs: 10_000,
    madeWith: null,
    async perform(batch) {
      given.push(batch)
      return { apply: async () => undefined, usage: [] }
    },
    ...more
  })
  const start = (work: MindWork): MindWorker => {
    const worker = startMindWork(
      { database: test.service.database, log: test.service.log, lookMs: 60_000 },
      work
    )
    workers.push(worker)
    return worker
  }
  const jobOf = (mindKey: number): Promise<MindJob> =>
    test.service.database.read
      .selectFrom('mindJob')
      .where('mindKey', '=', mindKey)
      .selectAll()
      .executeTakeFirstOrThrow()
  const makeDue = (mindKey: number) =>
    test.service.database.transaction((tx) =>
      tx.updateTable('mindJob').set({ dueAt: now() }).where('mindKey', '=', mindKey).execute()
    )
  const contents = (given: readonly Batch[]) =>
    given.map(({ memories }) => memories.map(({ content }) => content))

  it('does what was stored before it was switched on, batch after batch', async () => {
    const { mindKey } = await tellMind(test.service, ['one', 'two', 'three', 'four'])
    const given: Batch[] = []
    await start(recording(given)).drain()
    expect(contents(given)).toEqual([['one', 'two', 'three'], ['four']])
    expect(await jobOf(mindKey)).toMatchObject({ watermark: 4, waiting: 0, waitingSince: null, dueAt: null })
  })

  it('waits until enough memories are there or the oldest is old enough', async () => {
    const { mindKey } = await tellMind(test.service, ['one'])
    const given: Batch[] = []
    const work = recording(given, { dueAfter: 3 })
    const worker = start(work)
    await worker.drain()
    given.length = 0
    const queue = () => test.service.database.transaction((tx) => queueMemory(tx, work, mindKey))
    await queue()
    await queue()
    const early = await jobOf(mindKey)
    expect(Date.parse(early.dueAt ?? '')).toBeGreaterThan(Date.now() + 30_000)
    expect(early.waiting).toBe(2)
    await queue()
    expect(Date.parse((await jobOf(mindKey)).dueAt ?? '')).toBeLessThanOrEqual(Date.now())
    await worker.drain()
    expect(await jobOf(mindKey)).toMatchObject({ waiting: 0, dueAt: null })
  })

  it('puts a Mind back for later while a service is down, and never gives its memories up', async () => {
    const { mindKey } = await tellMind(test.service, ['one'])
    const given: Batch[] = []
    const perform = async () => {
      throw new WorkPostponed('The gateway can’t be reached.', { retryAfterSeconds: 7_200 })
    }
    const worker = start(recording(given, { perform }))
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await worker.drain()
      expect(await jobOf(mindKey)).toMatchObject({
        watermark: 0,
        waiting: 1,
        attempts: attempt,
        refusals: 0,
        lastError: 'The gateway can’t be reached.'
      })
      await makeDue(mindKey)
    }
    await worker.stop()
    await start(recording(given)).drain()
    expect(contents(given)).toEqual([['one']])
    expect(await jobOf(mindKey)).toMatchObject({ watermark: 1, attempts: 0, failures: 7, lastError: null })
  })

  it('waits as long as the service asked for', async () => {
    const { mindKey } = await tellMind(test.service, ['one'])
    const perform = async () => {
      throw new WorkPostponed('Too many calls.', { retryAfterSeconds: 7_200 })
    }
    await start(recording([], { perform })).drain()
    expect(Date.parse((await jobOf(mindKey)).dueAt ?? '')).toBeGreaterThan(Date.now() + 7_000_000)
  })

  it('puts a memory aside that can’t be done, does the others, and tries it again when asked to', async () => {
    const { mindKey } = await tellMind(test.service, ['good', 'bad', 'fine'])
    const given: Batch[] = []
    const perform: MindWork['perform'] = async (batch) => {
      if (batch.memories.some(({ content }) => content === 'bad')) throw new BatchRefused('It is bad.')
      given.push(batch)
      return { apply: async () => undefined, usage: [] }
    }
    const worker = start(recording(given, { perform }))
    for (let round = 0; round < 12; round += 1) {
      await worker.drain()
      await makeDue(mindKey)
    }
    await worker.drain()
    expect(contents(given).flat()).toEqual(['good', 'fine'])
    expect(await jobOf(mindKey)).toMatchObject({ watermark: 3, waiting: 0, lastError: null })
    const failures = () => test.service.database.read.selectFrom('mindJobFailure').selectAll().execute()
    expect(await failures()).toMatchObject([{ mindKey, seq: 2, error: 'It is bad.', isQueued: 0 }])

    await worker.stop()
    given.length = 0
    expect(await test.service.database.transaction((tx) => requeueFailures(tx, mindKey))).toBe(1)
    await start(recording(given)).drain()
    expect(contents(given)).toEqual([['bad']])
    expect(await failures()).toEqual([])
    expect(await jobOf(mindKey)).toMatchObject({ watermark: 3, waiting: 0, dueAt: null })
  })

  it('writes the outcome and the watermark together or not at all', async () => {
    const { mindKey } = await tellMind(test.service, ['one'])
    const name = newId('set')
    const perform: MindWork['perform'] = async () => ({
      async apply(tx) {
        await tx.insertInto('setting').values({ name, value: '1' }).execute()
        throw new Error('broken')
      },
      usage: []
    })
    await start(recording([], { perform })).drain()
    expect(await jobOf(mindKey)).toMatchObject({ watermark: 0, refusals: 1 })
    const rows = await test.service.database.read
      .selectFrom('setting')
      .where('name', '=', name)
      .selectAll()
      .execute()
    expect(rows).toEqual([])
  })

  it('tells the outcome what was forgotten meanwhile', async () => {
    const { mindKey } = await tellMind(test.service, ['one', 'two'])
    const seen: number[][] = []
    const perform: MindWork['perform'] = async () => {
      await test.service.database.transaction((tx) => test.service.memoryEngine.forget(tx, mindKey, 1))
      return { apply: async (_, kept) => void seen.push([...kept]), usage: [] }
    }
    await start(recording([], { perform })).drain()
    expect(seen).toEqual([[2]])
  })

  it('drops what it did for a Mind that was forgotten meanwhile', async () => {
    const { mindKey } = await tellMind(test.service, ['one'])
    let applied = 0
    const perform: MindWork['perform'] = async () => {
      await test.service.database.transaction((tx) =>
        tx.deleteFrom('mind').where('key', '=', mindKey).execute()
      )
      return {
        apply: async () => {
          applied += 1
        },
        usage: []
      }
    }
    await start(recording([], { perform })).drain()
    expect(applied).toBe(0)
  })

  it('does a batch once, however many processes look for it', async () => {
    for (let mind = 0; mind < 6; mind += 1) await tellMind(test.service, ['one', 'two'])
    const given: Batch[] = []
    const both = [start(recording(given)), start(recording(given))]
    await Promise.all(both.map((worker) => worker.drain()))
    expect(given.map(({ mindKey }) => mindKey).sort()).toEqual(
      [...new Set(given.map(({ mindKey }) => mindKey))].sort()
    )
    expect(given).toHaveLength(6)
  })

  it('leaves a Mind to the process that holds it, and takes it after its lease', async () => {
    const { mindKey } = await tellMind(test.service, ['one'])
    const given: Batch[] = []
    const worker = start(recording(given))
    await worker.drain()
    given.length = 0
    const hold = (leaseExpiresAt: string) =>
      test.service.database.transaction((tx) =>
        tx
          .updateTable('mindJob')
          .set({ watermark: 0, dueAt: now(), isUnsure: 1, leaseOwner: 'elsewhere/1/run_1', leaseExpiresAt })
          .where('mindKey', '=', mindKey)
          .execute()
      )
    await hold(fromNow(60_000))
    await worker.drain()
    expect(given).toEqual([])
    await hold(fromNow(-1))
    await worker.drain()
    expect(contents(given)).toEqual([['one']])
  })

  it('begins a Mind anew that was done with something else', async () => {
    const { mindKey } = await tellMind(test.service, ['one', 'two'])
    const first = start(recording([], { madeWith: 'model-a' }))
    await first.drain()
    await first.stop()
    const given: Batch[] = []
    const anew: number[] = []
    const beginAnew = async (_: unknown, key: number) => void anew.push(key)
    await start(recording(given, { madeWith: 'model-b', beginAnew })).drain()
    expect(anew).toEqual([mindKey])
    expect(contents(given)).toEqual([['one', 'two']])
    expect(await jobOf(mindKey)).toMatchObject({ madeWith: 'model-b', watermark: 2 })
  })

  it('doesn’t hold against something else what failed before', async () => {
    const { mindKey } = await tellMind(test.service, ['one', 'two'])
    const first = start(recording([], { madeWith: 'model-a' }))
    await first.drain()
    await first.stop()
    await test.service.database.transaction(async (tx) => {
      const letter = { kind: 'consolidate' as const, mindKey, seq: 1, error: 'No.' }
      await tx
        .insertInto('mindJobFailure')
        .values({ ...letter, isQueued: 0 })
        .execute()
      const failing = { attempts: 9, refusals: 4, waiting: 1, watermark: 1, dueAt: fromNow(3_600_000) }
      await tx.updateTable('mindJob').set(failing).where('mindKey', '=', mindKey).execute()
    })
    const given: Batch[] = []
    await start(recording(given, { madeWith: 'model-b' })).drain()
    expect(contents(given)).toEqual([['one', 'two']])
    const letters = await test.service.database.read.selectFrom('mindJobFailure').selectAll().execute()
    expect(letters).toEqual([])
  })

  it('ends at its deadline', async () => {
    const { mindKey } = await tellMind(test.service, ['one'])
    const perform: MindWork['perform'] = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    await start(recording([], { perform, deadlineMs: 50 })).drain()
    expect(await jobOf(mindKey)).toMatchObject({
      lastError: 'It took too long.',
      leaseOwner: null,
      refusals: 0
    })
  })

  it('gives what is under way back when it stops', async () => {
    const { mindKey } = await tellMind(test.service, ['one'])
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const perform: MindWork['perform'] = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        begin()
      })
    const worker = start(recording([], { perform }))
    await begun
    await worker.stop()
    expect(await jobOf(mindKey)).toMatchObject({ leaseOwner: null, attempts: 0, watermark: 0, isUnsure: 1 })
  })
})
