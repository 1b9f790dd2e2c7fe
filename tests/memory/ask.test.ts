import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/clock.ts'
import { refundExpired } from '../../src/credits/reservations.ts'
import type { EngineAnswer } from '../../src/memory/engine.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { databases } from '../support/databases.ts'
import { stringAt, unique } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from './caller.ts'

describe.each(databases)('ask on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  let memoryId: string
  /** A number that stands nowhere else. */
  let code: string
  beforeAll(async () => {
    test = await openTestService(kind, { BUSY_DEADLINE_MS: '300' })
  })
  afterAll(async () => {
    await expectCreditsToAddUp(test.service.database.read)
    await test.close()
  })
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
    code = unique('4711')
    await ada.call('remember', {
      content: 'Ada: The boat is called Nautilus.',
      occurredAt: '2026-05-01T10:00:00Z'
    })
    await ada.call('remember', {
      content: 'Ada: My sister Ida lives in Oslo.',
      occurredAt: '2026-05-02T10:00:00Z'
    })
    const remembered = await ada.call('remember', {
      content: `Ada: The garage code is ${code}.`,
      occurredAt: '2026-05-03T10:00:00Z'
    })
    memoryId = stringAt(remembered, 'memoryId')
  })

  const question = 'What is the garage code?'
  const reservations = () =>
    test.service.database.read
      .selectFrom('creditReservation')
      .where('customerId', '=', ada.customerId)
      .select(['status', 'answer', 'expiresAt', 'createdAt'])
      .execute()

  it('answers with its sources, and charges no more where a higher level adds nothing', async () => {
    const answered = await ada.call('ask', { question })
    expect(answered).toEqual({
      answer: expect.stringContaining(code),
      sources: expect.arrayContaining([
        { memoryId, excerpt: expect.stringContaining(code), occurredAt: '2026-05-03T10:00:00.000Z' }
      ]),
      found: true,
      reasoningLevel: 'standard',
      model: null,
      degraded: false,
      credits: 1
    })
    expect(await ada.call('ask', { question, reasoningLevel: 'enhanced' })).toMatchObject({ credits: 1 })
    expect(await ada.call('ask', { question, reasoningLevel: 'deep' })).toMatchObject({ credits: 1 })
    expect(await balanceOf(test.service, ada.partnerId)).toBe(1_000 - 3 - 3)
  })

  it('keeps the answer beside what was paid for it', async () => {
    const answered = await ada.call('ask', { question })
    const [kept, ...others] = await reservations()
    expect(others).toEqual([])
    expect(kept).toMatchObject({ status: 'settled' })
    expect(JSON.parse(kept?.answer ?? '')).toEqual(answered)
  })

  it('charges nothing for the answer that nothing is known', async () => {
    for (const reasoningLevel of ['standard', 'enhanced', 'deep']) {
      const asked = { question: 'Which vaccine did the hamster get?', reasoningLevel }
      expect(await ada.call('ask', asked)).toMatchObject({ found: false, credits: 0, reasoningLevel })
    }
    expect(await balanceOf(test.service, ada.partnerId)).toBe(1_000 - 3)
    expect(new Set((await reservations()).map(({ status }) => status))).toEqual(new Set(['refunded']))
  })

  /** Answers as if its work rested on another level than asked. */
  const answeringAs = (given: Partial<EngineAnswer>) => {
    const { memoryEngine } = test.service
    return ada.through({
      memoryEngine: {
        ...memoryEngine,
        ask: async (...asked) => ({ ...(await memoryEngine.ask(...asked)), ...given })
      }
    })
  }

  it('charges what a higher level adds nothing to as the level that it rests on', async () => {
    const asked = { question, reasoningLevel: 'deep' }
    const answered = await answeringAs({ level: 'standard' }).call('ask', asked)
    expect(answered).toMatchObject({ found: true, reasoningLevel: 'standard', credits: 1 })
    expect(await balanceOf(test.service, ada.partnerId)).toBe(1_000 - 3 - 1)
    const kept = (await reservations()).filter(({ status }) => status === 'settled')
    expect(kept.map(({ answer }) => JSON.parse(answer ?? ''))).toEqual([answered])
    expect(await answeringAs({ level: 'enhanced' }).call('ask', asked)).toMatchObject({ credits: 3 })
    // Never more than was agreed to.
    expect(await answeringAs({ level: 'deep' }).call('ask', { question })).toMatchObject({ credits: 1 })
    expect(await balanceOf(test.service, ada.partnerId)).toBe(1_000 - 3 - 1 - 3 - 1)
  })

  it('charges nothing for what there is instead of an answer', async () => {
    const instead = 'Nothing in this Mind answers that. On Ada it knows: a boat.'
    const told = { found: false, answer: instead, sources: [] }
    expect(await answeringAs(told).call('ask', { question })).toMatchObject({ ...told, credits: 0 })
    expect(await reservations()).toMatchObject([{ status: 'refunded', answer: null }])
  })

  it('answers once under a key', async () => {
    const more = { idempotencyKey: 'once' }
    const first = await ada.call('ask', { question }, more)
    expect(await ada.call('ask', { question }, more)).toEqual(first)
    expect(await reservations()).toHaveLength(1)
  })

  it.each([
    ['a question that is empty', { question: '' }, 'question'],
    ['one of more than 4,096 characters', { question: 'x'.repeat(4_097) }, 'question'],
    ['an unknown level', { question, reasoningLevel: 'deepest' }, 'reasoningLevel']
  ])('refuses %s', async (_, input, field) => {
    expect(await ada.refusal('ask', input)).toMatchObject({ code: 'invalid_input', field })
  })

  it('gives back what it held when the engine fails, whatever with', async () => {
    const { memoryEngine } = test.service
    const broken = ada.through({
      memoryEngine: { ...memoryEngine, ask: () => Promise.reject(new Error('the index is corrupt')) }
    })
    await expect(broken.call('ask', { question })).rejects.toThrow('the index is corrupt')
    expect(await reservations()).toMatchObject([{ status: 'refunded', answer: null }])
    expect(await balanceOf(test.service, ada.partnerId)).toBe(997)
  })

  it('holds the price while the engine works, and no longer than that can take', async () => {
    const { memoryEngine } = test.service
    let held: Awaited<ReturnType<typeof reservations>> = []
    await ada
      .through({
        memoryEngine: {
          ...memoryEngine,
          async ask(...asked) {
            held = await reservations()
            return memoryEngine.ask(...asked)
          }
        }
      })
      .call('ask', { question })
    expect(held).toMatchObject([{ status: 'held', answer: null }])
    const { createdAt = '', expiresAt = '' } = held[0] ?? {}
    const { memoryDeadlineMs, busyDeadlineMs } = test.service.config
    const heldMs = Date.parse(expiresAt) - Date.parse(createdAt)
    expect(heldMs).toBeGreaterThan(memoryDeadlineMs + busyDeadlineMs)
    expect(heldMs).toBeLessThan(DAY_MS)
  })

  it('leaves to the sweep what it could not give back itself', async () => {
    const { database, memoryEngine } = test.service
    let isDown = false
    const lost = ada.through({
      database: {
        ...database,
        transaction: (work) =>
          isDown ? Promise.reject(new Error('the disk is gone')) : database.transaction(work)
      },
      memoryEngine: {
        ...memoryEngine,
        ask(...asked) {
          isDown = true
          return memoryEngine.ask(...asked)
        }
      }
    })
    await expect(lost.call('ask', { question })).rejects.toThrow('the disk is gone')
    expect(await reservations()).toMatchObject([{ status: 'held' }])
    const sweep = () => database.transaction((tx) => refundExpired(tx, 100))
    await sweep()
    expect(await reservations()).toMatchObject([{ status: 'held' }])
    await database.transaction((tx) =>
      tx
        .updateTable('creditReservation')
        .set({ expiresAt: new Date().toISOString() })
        .where('customerId', '=', ada.customerId)
        .execute()
    )
    await sweep()
    expect(await reservations()).toMatchObject([{ status: 'refunded' }])
    expect(await balanceOf(test.service, ada.partnerId)).toBe(997)
  })

  it.each(['forget', 'forget_mind'])('brings nothing back that %s took while it worked', async (name) => {
    const { memoryEngine } = test.service
    const { mindId } = await ada.call('recall')
    const overtaken = ada.through({
      memoryEngine: {
        ...memoryEngine,
        async ask(...asked) {
          const found = await memoryEngine.ask(...asked)
          await ada.call(name, name === 'forget' ? { memoryId } : { mindId })
          return found
        }
      }
    })
    const { code } = await overtaken.refusal('ask', { question })
    expect(code).toBe(name === 'forget' ? 'memory_unavailable' : 'mind_not_found')
    expect(await reservations()).toMatchObject([{ status: 'refunded', answer: null }])
    expect(JSON.stringify(await everyRow(test.service))).not.toContain(code)
  })
})
