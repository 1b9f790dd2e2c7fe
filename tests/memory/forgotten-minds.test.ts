// A forgotten Mind is gone at once for everybody, and from the tables soon after, however large it is.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromNow, now } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { takeDue } from '../../src/jobs/leases.ts'
import { createLog } from '../../src/log.ts'
import { deleteBatch, deleteForgotten } from '../../src/memory/forgotten-minds.ts'
import { jobsOf } from '../../src/memory/jobs/worker.ts'
import { openService } from '../../src/service.ts'
import { databases } from '../support/databases.ts'
import { stringAt, unique } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type MemoryCaller, makeMemoryCaller } from './caller.ts'
import { everyTable, tablesWith } from './every-table.ts'

const POSTINGS = 25_000

describe.each(databases)('a forgotten Mind on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  let mindId: string
  let memoryId: string
  let mindKey: number
  /** A word that stands nowhere else. */
  let planted: string
  const question = () => ({ question: `What is ${planted}?` })
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
    planted = unique('quill')
    const remembered = await ada.call('remember', {
      content: `Ada: My company is called ${planted} and I love ${planted}.`
    })
    mindId = stringAt(remembered, 'mindId')
    memoryId = stringAt(remembered, 'memoryId')
    const { key } = await test.service.database.read
      .selectFrom('mind')
      .where('id', '=', mindId)
      .select('key')
      .executeTakeFirstOrThrow()
    mindKey = key
  })

  /** Whatever is due of the work on vectors. */
  const takeJobs = () =>
    test.service.database.transaction(async (tx) => {
      const embed = { table: 'mindJob', only: jobsOf(tx, { kind: 'embed' }), leaseMs: 60_000 } as const
      const taken: object[] = []
      for (;;) {
        const job = await takeDue(tx, kind, embed, { owner: 'test' })
        if (!job) return taken
        taken.push(job)
      }
    })

  /** Rows in every table that a Mind leaves rows in, and in one of them very many. */
  const fill = () =>
    test.service.database.transaction(async (tx) => {
      const job = {
        kind: 'embed',
        mindKey,
        watermark: 0,
        waiting: 1,
        waitingSince: now(),
        dueAt: now()
      } as const
      await tx
        .insertInto('mindJob')
        .values({ ...job, attempts: 0, refusals: 0, failures: 0, isUnsure: 0 })
        .execute()
      const failure = {
        kind: 'embed',
        mindKey,
        seq: 1,
        error: planted,
        isQueued: 0
      } as const
      await tx.insertInto('mindJobFailure').values(failure).execute()
      const spent = { calls: 1, inputTokens: 1, outputTokens: 1, costMicros: 1 }
      await tx
        .insertInto('modelUsage')
        .values({ mindKey, day: '2026-05-01', purpose: 'embed', ...spent })
        .execute()
      await tx
        .insertInto('embedding')
        .values({ mindKey, block: 0, vectors: Buffer.from(planted) })
        .execute()
      const position = { mindKey, digest: planted, memories: 1, isWhole: 1 as const, updatedAt: now() }
      await tx.insertInto('memoryImport').values(position).execute()
      for (let seq = 0; seq < POSTINGS; seq += 5_000) {
        const rows = Array.from({ length: 5_000 }, (_, i) => ({
          mindKey,
          term: planted,
          seq: seq + i + 2,
          mark: 0
        }))
        await tx.insertInto('posting').values(rows).execute()
      }
    })
  const tablesOfMind = async () => {
    const found: string[] = []
    for await (const [table, rows] of everyTable(test.service.config.databaseLocation)) {
      if (rows.some((row) => Object(row).mindKey === mindKey)) found.push(table)
    }
    return found.toSorted()
  }

  it('can’t be reached by anything while all of it is still there', async () => {
    await fill()
    await ada.call('ask', question(), { idempotencyKey: 'asked' })
    await ada.call('forget_mind', { mindId })
    expect(await tablesOfMind()).toContain('memory')
    const calls: [name: string, input?: Record<string, unknown>][] = [
      ...[['recall'], ['export'], ['forget_mind'], ['work_get'], ['work_retry']].map(
        ([name = '']): [string] => [name]
      ),
      ['ask', question()],
      ['remember', { content: 'More.' }],
      ['forget', { memoryId }]
    ]
    for (const [name, input] of calls)
      expect([name, (await ada.refusal(name, { mindId, ...input })).code]).toEqual([name, 'mind_not_found'])
    expect((await ada.refusal('forget', { memoryId })).code).toBe('memory_not_found')
    expect(await ada.call('list_minds')).toEqual({ minds: [] })
    expect(await takeJobs()).not.toContainEqual(expect.objectContaining({ mindKey }))
    expect(JSON.stringify(await ada.call('recall'))).not.toContain(planted)
  })

  it('takes the answers that are kept for a key with it, and the key can be used again', async () => {
    const ask = async () => JSON.stringify(await ada.call('ask', question(), { idempotencyKey: 'asked' }))
    const first = await ask()
    expect(first).toContain(`called ${planted}`)
    expect(await ask()).toBe(first)
    await ada.call('forget_mind', { mindId })
    const second = await ask()
    expect(second).not.toContain(`called ${planted}`)
    await deleteForgotten(test.service.database)
    expect(await ask()).toBe(second)
  })

  it('leaves no row in any table, batch by batch, and others write in between', async () => {
    await fill()
    const { database } = test.service
    const filled = await tablesOfMind()
    expect(filled).toHaveLength(10)
    await ada.call('forget_mind', { mindId })
    const bob = await makeMemoryCaller(test.service)
    let batches = 0
    let deleted = 0
    const postings = async () =>
      (await database.read.selectFrom('posting').where('mindKey', '=', mindKey).select('seq').execute())
        .length
    for (let before = await postings(); !(await database.transaction(deleteBatch)); batches += 1) {
      const after = await postings()
      deleted = Math.max(deleted, before - after)
      before = after
      await bob.call('remember', { content: `Bob: this is number ${batches}.` })
    }
    expect(deleted).toBe(10_000)
    expect(batches).toBeGreaterThanOrEqual(POSTINGS / 10_000)
    expect(await tablesOfMind()).toEqual([])
    expect(await tablesWith(test, planted)).toEqual([])
  })

  it('goes on being deleted by the next process where one died, and is out of reach in between', async () => {
    await fill()
    await ada.call('forget_mind', { mindId })
    for (let batch = 0; batch < 2; batch += 1) await test.service.database.transaction(deleteBatch)
    const next = await openService(loadConfig(test.env), createLog('silent'))
    try {
      expect((await ada.through(next).refusal('recall', { mindId })).code).toBe('mind_not_found')
      expect(await tablesOfMind()).toContain('memory')
      next.start('http://localhost')
      await vi.waitFor(async () => expect(await tablesOfMind()).toEqual([]), 10_000)
    } finally {
      await next.close()
    }
  })

  it('is deleted at once by a service that runs, and nothing told meanwhile comes to stand in it', async () => {
    const running = await openService(loadConfig(test.env), createLog('silent'))
    try {
      running.start('http://localhost')
      const told = Array.from({ length: 5 }, (_, i) =>
        ada.call('remember', { content: `Ada: number ${i} of ${planted}.`, mindId }).catch(() => undefined)
      )
      await Promise.all([...told, ada.through(running).call('forget_mind', { mindId })])
      await vi.waitFor(async () => expect(await tablesWith(test, planted)).toEqual([]), 10_000)
    } finally {
      await running.close()
    }
  })

  it('keeps its number from ever being another’s', async () => {
    await ada.call('forget_mind', { mindId })
    await deleteForgotten(test.service.database)
    await ada.call('recall')
    const { key } = await test.service.database.read
      .selectFrom('mind')
      .where('customerId', '=', ada.customerId)
      .select('key')
      .executeTakeFirstOrThrow()
    expect(key).toBeGreaterThan(mindKey)
  })

  it('is gone with its customer’s record, also while it is being deleted', async () => {
    await fill()
    await ada.call('forget_mind', { mindId })
    await test.service.database.transaction(async (tx) => {
      await deleteBatch(tx)
      await tx.deleteFrom('customer').where('id', '=', ada.customerId).execute()
    })
    await deleteForgotten(test.service.database)
    expect(await tablesOfMind()).toEqual([])
  })

  it('loses what was paid for it, a batch at a time', async () => {
    await ada.call('ask', question())
    await ada.call('forget_mind', { mindId })
    await deleteForgotten(test.service.database)
    const kept = await test.service.database.read
      .selectFrom('creditReservation')
      .where('mindId', '=', mindId)
      .select(['answer', 'answerErasedAt'])
      .execute()
    expect(kept).toEqual([{ answer: null, answerErasedAt: expect.any(String) }])
    expect(Date.parse(kept[0]?.answerErasedAt ?? '')).toBeGreaterThan(Date.parse(fromNow(-60_000)))
  })
})
