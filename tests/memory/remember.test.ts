import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { createEmbeddedEngine } from '../../src/memory/embedded-engine.ts'
import { type ThreadPool, ThreadsUnavailable } from '../../src/threads/pool.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { databases } from '../support/databases.ts'
import { at, stringAt } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from './caller.ts'
import { tellMind } from './told-mind.ts'

const HOUR_MS = 3_600_000

describe.each(databases)('remember on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(async () => {
    await expectCreditsToAddUp(test.service.database.read)
    await test.close()
  })
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
  })

  const messages = async () => Object(await ada.call('recall')).messages

  it('stores a text once, finds it again and charges one credit', async () => {
    const remembered = await ada.call('remember', { content: 'Ada: I moved to Lisbon.' })
    expect(remembered).toEqual({
      memoryId: expect.stringMatching(/^mem_[0-9a-z]{20}$/),
      mindId: expect.stringMatching(/^mnd_/),
      duplicate: false,
      credits: 1
    })
    expect(await balanceOf(test.service, ada.partnerId)).toBe(999)
    const { answer, sources } = await ada.call('ask', { question: 'Where did Ada move to?' })
    expect(answer).toContain('Lisbon')
    expect(at(sources, 0, 'memoryId')).toBe(remembered.memoryId)
  })

  it('takes the same text within a day for the same memory, and charges it once', async () => {
    const first = await ada.call('remember', { content: 'I like tea.' })
    expect(await ada.call('remember', { content: 'I like tea.' })).toEqual({
      ...first,
      duplicate: true,
      credits: 0
    })
    const { mindId } = await ada.call('create_mind', { name: 'Other' })
    expect(await ada.call('remember', { content: 'I like tea.', mindId })).toMatchObject({ duplicate: false })
    expect(await ada.call('remember', { content: 'I like tea!' })).toMatchObject({ duplicate: false })
    expect(await balanceOf(test.service, ada.partnerId)).toBe(997)
  })

  it('takes it for a new one after a day', async () => {
    const { memoryId } = await ada.call('remember', { content: 'I like tea.' })
    await backdate(stringAt({ memoryId }, 'memoryId'), 23 * HOUR_MS)
    expect(await ada.call('remember', { content: 'I like tea.' })).toMatchObject({ duplicate: true })
    await backdate(stringAt({ memoryId }, 'memoryId'), 24 * HOUR_MS + 1_000)
    expect(await ada.call('remember', { content: 'I like tea.' })).toMatchObject({ duplicate: false })
  })

  const backdate = (memoryId: string, ms: number) =>
    test.service.database.transaction((tx) =>
      tx
        .updateTable('memory')
        .set({ createdAt: fromNow(-ms) })
        .where('id', '=', memoryId)
        .execute()
    )

  it('stores and charges once what comes many times at once', async () => {
    const content = 'The same, from every worker.'
    const all = await Promise.all(Array.from({ length: 25 }, () => ada.call('remember', { content })))
    expect(new Set(all.map(({ memoryId }) => memoryId)).size).toBe(1)
    expect(all.filter(({ duplicate }) => duplicate === false)).toHaveLength(1)
    expect(await balanceOf(test.service, ada.partnerId)).toBe(999)
    expect(await messages()).toHaveLength(1)
  })

  it('keeps the order of arrival, whatever is said at the same time', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, i) => ada.call('remember', { content: `Number ${i}` })))
    const rows = await test.service.database.read
      .selectFrom('memory')
      .innerJoin('mind', 'mind.key', 'memory.mindKey')
      .where('customerId', '=', ada.customerId)
      .select(['seq', 'nextSeq', 'memoryCount'])
      .orderBy('seq')
      .execute()
    expect(rows).toEqual(rows.map((_, i) => ({ seq: i + 1, nextSeq: 26, memoryCount: 25 })))
  })

  it('keeps when it happened, in UTC, and says now when it isn’t told', async () => {
    const startedAt = new Date().toISOString()
    await ada.call('remember', { content: 'Said now.' })
    await ada.call('remember', { content: 'Said then.', occurredAt: '2024-02-29T23:30:00.5+02:00' })
    const [then, now] = await messages()
    expect(then).toMatchObject({ content: 'Said then.', occurredAt: '2024-02-29T21:30:00.500Z' })
    expect(now.occurredAt >= startedAt && now.occurredAt <= now.createdAt).toBe(true)
    expect(then.createdAt >= now.createdAt).toBe(true)
  })

  it('takes a time that is a day ahead and no more', async () => {
    const occurredAt = fromNow(23 * HOUR_MS)
    await ada.call('remember', { content: 'A clock that is ahead.', occurredAt })
    expect(
      await ada.refusal('remember', { content: 'Tomorrow’s news', occurredAt: fromNow(25 * HOUR_MS) })
    ).toMatchObject({ code: 'invalid_input', field: 'occurredAt' })
  })

  it.each([
    ['nothing', ''],
    ['only white space', ' \n\t'],
    ['more than 32,768 characters', 'x'.repeat(32_769)],
    ['what no database can store', 'a\0b'],
    ['half a character', '\ud800']
  ])('refuses %s by the name of its field', async (_, content) => {
    expect(await ada.refusal('remember', { content })).toMatchObject({
      code: 'invalid_input',
      field: 'content'
    })
  })

  it('stores 32,768 characters of any script', async () => {
    const content = '記'.repeat(32_768)
    const { mindId } = await ada.call('remember', { content })
    expect(at(await ada.call('export', { mindId }), 'memories', 0, 'content')).toBe(content)
  })

  /** The customer pays with credits of its own from now on, and has none. */
  const takeCredits = () =>
    test.service.database.transaction((tx) =>
      tx.updateTable('customer').set({ aiCreditsEnabled: 1 }).where('id', '=', ada.customerId).execute()
    )

  it('stores nothing that can’t be paid for', async () => {
    await ada.call('recall')
    await takeCredits()
    const before = await everyRow(test.service)
    expect(await ada.refusal('remember', { content: 'I like tea.' })).toMatchObject({
      code: 'insufficient_credits'
    })
    expect(await everyRow(test.service)).toEqual(before)
  })

  it('reads no text for who can’t pay, and none that is there already', async () => {
    const content = 'Dana: I live in Lisbon. '.repeat(1_000)
    const first = await ada.call('remember', { content })
    const { memoryEngine } = test.service
    const reading = vi.fn(memoryEngine.prepare)
    const watched = ada.through({ memoryEngine: { ...memoryEngine, prepare: reading } })
    const again = { ...first, duplicate: true, credits: 0 }
    expect(await watched.call('remember', { content })).toEqual(again)
    await takeCredits()
    expect(await watched.call('remember', { content })).toEqual(again)
    expect(await watched.refusal('remember', { content: `${content} No.` })).toMatchObject({
      code: 'insufficient_credits'
    })
    expect(reading).not.toHaveBeenCalled()
  })

  it('makes the same of a long text in a thread as of one on the event loop', async () => {
    const long = `Dana: I live in Lisbon and work at Acme. ${'我住在里斯本。'.repeat(300)}`
    const { memoryId } = await ada.call('remember', { content: long, occurredAt: '2026-05-03T10:00:00Z' })
    const { read } = test.service.database
    const postings = (mindKey: number, seq: number) =>
      read
        .selectFrom('posting')
        .where('mindKey', '=', mindKey)
        .where('seq', '=', seq)
        .select(['term', 'mark'])
        .orderBy('term')
        .execute()
    const there = await read
      .selectFrom('memory')
      .where('id', '=', stringAt({ memoryId }, 'memoryId'))
      .select(['mindKey', 'seq'])
      .executeTakeFirstOrThrow()
    const here = await tellMind(test.service, [{ content: long, occurredAt: '2026-05-03T10:00:00.000Z' }])
    const stored = await postings(there.mindKey, there.seq)
    expect(stored.length).toBeGreaterThan(5)
    expect(stored).toEqual(await postings(here.mindKey, 1))
    expect(Object(await ada.call('recall')).profile).toContain('Lisbon')
  })

  it('is refused for the moment where no thread can read a long text', async () => {
    const threads: ThreadPool = {
      run: () => Promise.reject(new ThreadsUnavailable('No thread')),
      close: async () => undefined
    }
    const without = ada.through({ memoryEngine: createEmbeddedEngine({ queues: [], threads }) })
    expect(await without.refusal('remember', { content: 'I like tea. '.repeat(200) })).toMatchObject({
      code: 'memory_unavailable',
      retryAfterSeconds: 5
    })
    expect(await without.call('remember', { content: 'I like tea.' })).toMatchObject({ duplicate: false })
  })

  it('repeats its answer under the same key, and refuses another text under it', async () => {
    const idempotencyKey = 'one-call'
    const first = await ada.call('remember', { content: 'I like tea.' }, { idempotencyKey })
    expect(await ada.call('remember', { content: 'I like tea.' }, { idempotencyKey })).toEqual(first)
    await expect(
      ada.call('remember', { content: 'I like coffee.' }, { idempotencyKey })
    ).rejects.toMatchObject({ code: 'idempotency_conflict' })
    const mind = await ada.call('create_mind', { name: 'Twice?' }, { idempotencyKey: 'mind' })
    expect(await ada.call('create_mind', { name: 'Twice?' }, { idempotencyKey: 'mind' })).toEqual(mind)
    expect(await messages()).toHaveLength(1)
  })
})
