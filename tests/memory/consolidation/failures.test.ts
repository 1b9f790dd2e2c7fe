// A model that can't be reached, or talks nonsense: nothing is lost by it, and what is known stays.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usageOf } from '../../../src/llm/usage.ts'
import { requeueFailures } from '../../../src/memory/jobs/store.ts'
import type { MindWorker } from '../../../src/memory/jobs/worker.ts'
import type { LlmBehaviour } from '../../support/ai/llm-faults.ts'
import { byRules, type ConsolidatedMind, type ConsolidationFixture, openFixture } from './fixture.ts'

const flatIn = (place: string) => ({
  [place]: [{ op: 'ADD' as const, quote: `flat in ${place}`, subject: 'Dana', kind: 'place', value: place }]
})

describe('consolidation that fails', () => {
  let fixture: ConsolidationFixture
  let worker: MindWorker
  let mind: ConsolidatedMind
  beforeAll(async () => {
    fixture = await openFixture('sqlite')
  })
  beforeEach(async () => {
    fixture.llm.behave('good')
    fixture.llm.on('consolidation', byRules({ ...flatIn('Porto'), ...flatIn('Lisbon') }))
    // With a breaker of its own.
    worker = fixture.startWorker()
    mind = await fixture.newMind()
    await mind.tell('Dana: My flat in Porto is cold.', '2026-05-01')
    await worker.drain()
  })
  afterAll(() => fixture.close())

  const failures = async () =>
    fixture.test.service.database.read
      .selectFrom('mindJobFailure')
      .where('mindKey', '=', (await mind.job()).mindKey)
      .select(['seq', 'error'])
      .execute()
  const attempt = async () => {
    await mind.makeDue()
    await worker.drain()
  }

  it.each<LlmBehaviour>([
    ...([
      'hangs-up',
      'overloaded',
      'limits',
      'refuses-key',
      'silent',
      'drips',
      'not-json',
      'redirects'
    ] as const)
  ])(
    'waits for a gateway that %s, however long, keeps the old profile and shows since when',
    async (behaviour) => {
      worker = fixture.startWorker({ timeoutMs: 200 })
      fixture.llm.behave(behaviour)
      await mind.tell('Dana: My flat in Lisbon is warm.', '2026-05-02')
      for (let attempts = 0; attempts < 7; attempts += 1) await attempt()
      const job = await mind.job()
      expect(job).toMatchObject({ waiting: 1, attempts: 7, refusals: 0, watermark: 1 })
      expect(job.waitingSince).not.toBeNull()
      expect(job.lastError).toMatch(/gateway/)
      expect(await failures()).toEqual([])
      expect(await mind.profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])

      fixture.llm.behave('good')
      worker = fixture.startWorker()
      await attempt()
      expect(await mind.profile()).toEqual(['About Dana:', 'Place: Lisbon (2026-05-02, #1)'])
      expect(await mind.job()).toMatchObject({ waiting: 0, waitingSince: null, lastError: null })
    }
  )

  it('waits as long as a gateway that limits us says', async () => {
    fixture.llm.behave('limits', 1)
    await mind.tell('Dana: My flat in Lisbon is warm.')
    await worker.drain()
    const { dueAt } = await mind.job()
    expect(Date.parse(dueAt ?? '')).toBeGreaterThan(Date.now() + 10_000)
  })

  it('asks once more for an answer that is no JSON', async () => {
    fixture.llm.behave('nonsense', 1)
    await mind.tell('Dana: My flat in Lisbon is warm.', '2026-05-02')
    await worker.drain()
    expect(await mind.profile()).toEqual(['About Dana:', 'Place: Lisbon (2026-05-02, #1)'])
  })

  it('puts aside the one memory whose answer is never usable, goes on, and can try it again', async () => {
    let isCured = false
    fixture.llm.on('consolidation', (request) =>
      !isCured && request.user.includes('POISON')
        ? 'no JSON'
        : byRules({ ...flatIn('Porto'), ...flatIn('Lisbon'), ...flatIn('Rome') })(request)
    )
    fixture.llm.behave('overloaded')
    for (const text of ['My flat in Lisbon is warm.', 'POISON, my flat in Rome.', 'It rains.'])
      await mind.tell(`Dana: ${text}`, '2026-05-02')
    await worker.drain()
    fixture.llm.behave('good')
    for (let attempts = 0; attempts < 12; attempts += 1) await attempt()
    expect(await mind.job()).toMatchObject({ waiting: 0, watermark: 4 })
    expect(await failures()).toEqual([
      { seq: 3, error: 'The answer of the language model could not be read.' }
    ])
    expect(await mind.profile()).toEqual(['About Dana:', 'Place: Lisbon (2026-05-02, #1)'])

    isCured = true
    const { mindKey } = await mind.job()
    await fixture.test.service.database.transaction((tx) => requeueFailures(tx, mindKey))
    await worker.drain()
    expect(await failures()).toEqual([])
    expect(await mind.profile()).toEqual(['About Dana:', 'Place: Rome (2026-05-02, #2)'])
    expect((await mind.job()).lastError).toBeNull()
  })

  it('doesn’t hold against memories what a gateway refuses that never answered', async () => {
    fixture.llm.behave('rejects')
    const fresh = fixture.startWorker()
    await mind.tell('Dana: My flat in Lisbon is warm.')
    for (let attempts = 0; attempts < 7; attempts += 1) {
      await mind.makeDue()
      await fresh.drain()
    }
    expect(await failures()).toEqual([])
    expect((await mind.job()).lastError).toMatch(/LLM_MODEL/)
  })

  it('holds against a memory what a gateway refuses that answers for others', async () => {
    fixture.llm.behave('rejects')
    await mind.tell('Dana: My flat in Lisbon is warm.')
    for (let attempts = 0; attempts < 5; attempts += 1) await attempt()
    expect(await failures()).toHaveLength(1)
  })

  it('counts what failed calls took', async () => {
    const { mindKey } = await mind.job()
    const callsOf = async () => (await usageOf(fixture.test.service.database.read, mindKey))[0]?.calls ?? 0
    const before = await callsOf()
    fixture.llm.behave('nonsense')
    await mind.tell('Dana: My flat in Lisbon is warm.')
    await worker.drain()
    expect(await callsOf()).toBe(before + 2)
  })

  it('logs neither what is stored nor the key', async () => {
    fixture.llm.behave('nonsense')
    await mind.tell('Dana: My flat in Lisbon is secretive.')
    await worker.drain()
    const logs = fixture.test.logs.join('\n')
    expect(logs).toContain('work on a Mind failed')
    expect(logs).not.toMatch(/secretive|must-never-show/)
  })
})
