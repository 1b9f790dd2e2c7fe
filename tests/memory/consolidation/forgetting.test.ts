// What is forgotten leaves no fact behind, whenever it is forgotten; and what was recalled proves nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deleteForgotten } from '../../../src/memory/forgotten-minds.ts'
import type { MindWorker } from '../../../src/memory/jobs/worker.ts'
import { databases } from '../../support/databases.ts'
import { stringAt } from '../../support/fixture.ts'
import { tablesWith } from '../every-table.ts'
import { byRules, type ConsolidatedMind, type ConsolidationFixture, openFixture } from './fixture.ts'

const RULES = byRules({
  Porto: [{ op: 'ADD', quote: 'flat in Porto', subject: 'Dana', kind: 'place', value: 'Porto' }],
  Wolpertinger: [
    { op: 'ADD', quote: 'a Wolpertinger', subject: 'Dana', kind: 'event', value: 'a Wolpertinger' }
  ],
  Lisbon: [{ op: 'ADD', quote: 'flat in Lisbon', subject: 'Dana', kind: 'place', value: 'Lisbon' }]
})

describe.each(databases)('consolidation beside forgetting on %s', (kind) => {
  let fixture: ConsolidationFixture
  let worker: MindWorker
  beforeAll(async () => {
    fixture = await openFixture(kind)
    fixture.llm.on('consolidation', RULES)
    worker = fixture.startWorker()
  })
  afterEach(() => fixture.llm.behave('good'))
  afterAll(() => fixture.close())

  /** The Mind while the model is asked about these texts; `answer` lets it answer. */
  async function whileAsked(texts: readonly string[]) {
    const mind = await fixture.newMind()
    const ids: string[] = []
    for (const text of texts) ids.push(await mind.tell(text))
    fixture.llm.behave('waits')
    const asked = fixture.llm.asked()
    const done = worker.drain()
    await asked
    const answer = async () => {
      fixture.llm.behave('good')
      fixture.llm.release()
      await done
    }
    return { mind, ids, answer }
  }
  const factsOf = async (mind: ConsolidatedMind) => {
    const { mindKey } = await mind.job()
    return fixture.test.service.database.read
      .selectFrom('fact')
      .where('mindKey', '=', mindKey)
      .select(['seq', 'value', 'origin'])
      .execute()
  }

  it('keeps no fact of a memory that is forgotten while the model reads it', async () => {
    const { mind, ids, answer } = await whileAsked([
      'Dana: My flat in Porto is cold.',
      'Dana: My flat in Lisbon is warm.'
    ])
    await mind.forget(ids[1] ?? '')
    await answer()
    expect(await factsOf(mind)).toEqual([{ seq: 1, value: 'Porto', origin: 'model' }])
    expect(await mind.profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])
    expect(await mind.job()).toMatchObject({ watermark: 2, waiting: 0 })
  })

  it('lets no fact hold of a memory that is corrected while the model reads it, until its correction is forgotten', async () => {
    const { mind, ids, answer } = await whileAsked(['Dana: My flat in Porto is cold.'])
    const corrected = { content: 'That was somebody else.', supersedes: ids[0] }
    const { memoryId } = await mind.caller.call('remember', corrected)
    await answer()
    expect(await factsOf(mind)).toEqual([{ seq: 1, value: 'Porto', origin: 'model' }])
    expect(await mind.profile()).toEqual([])
    await mind.caller.call('forget', { memoryId })
    expect(await mind.profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])
  })

  it('leaves nothing anywhere of a Mind that is forgotten while the model reads it', async () => {
    const { mind, answer } = await whileAsked(['Dana: My flat in Porto has a Wolpertinger.'])
    const { minds } = await mind.caller.call('list_minds')
    const mindId = stringAt(minds, '0', 'mindId')
    const { mindKey } = await mind.job()
    await mind.caller.call('forget_mind', { mindId })
    await answer()
    await deleteForgotten(fixture.test.service.database)
    expect(await tablesWith(fixture.test, 'Wolpertinger')).toEqual([])
    for (const table of ['fact', 'mindJob', 'modelUsage'] as const) {
      const rows = fixture.test.service.database.read.selectFrom(table).where('mindKey', '=', mindKey)
      expect(await rows.selectAll().execute()).toEqual([])
    }
  })

  it('keeps what is told while the model reads for the next time', async () => {
    const { mind, answer } = await whileAsked(['Dana: My flat in Porto is cold.'])
    await mind.tell('Dana: My flat in Lisbon is warm.', '2026-05-02')
    await answer()
    await worker.drain()
    expect(await mind.profile()).toEqual(['About Dana:', 'Place: Lisbon (2026-05-02, #1)'])
  })

  it('keeps every fact once when two processes consolidate the same Minds', async () => {
    const minds = await Promise.all(Array.from({ length: 4 }, () => fixture.newMind()))
    for (const mind of minds) {
      await mind.tell('Dana: My flat in Porto is cold.')
      await mind.tell('Dana: My flat in Lisbon is warm.')
    }
    const other = fixture.startWorker()
    await Promise.all([worker.drain(), other.drain()])
    await other.stop()
    for (const mind of minds) {
      expect(await factsOf(mind)).toEqual([
        { seq: 1, value: 'Porto', origin: 'model' },
        { seq: 2, value: 'Lisbon', origin: 'model' }
      ])
      expect(await mind.job()).toMatchObject({ watermark: 2, waiting: 0, failures: 0 })
    }
  })

  it('makes no fact of what Recall and Ask gave out, though an agent stores it again', async () => {
    const mind = await fixture.newMind()
    const first = await mind.tell('Dana: I live in Porto, in a flat in Porto.')
    await worker.drain()
    const { profile, snapshot } = await mind.caller.call('recall')
    const { answer } = await mind.caller.call('ask', { question: 'Where is Dana’s flat in Porto?' })
    expect([profile, snapshot, answer].filter((text) => String(text).includes('Porto'))).toHaveLength(3)
    const before = fixture.llm.requests.length
    for (const text of [profile, snapshot, answer]) await mind.tell(`Dana: ${text}`)
    await worker.drain()
    expect(fixture.llm.requests.slice(before)).toEqual([])
    await mind.forget(first)
    expect(await factsOf(mind)).toEqual([])
  })

  it.each([
    [
      'a tool’s answer with its fence',
      '<stored-text 0f>\nDana: I live in Porto, in a flat in Porto.\n</stored-text 0f>'
    ],
    ['an answer that a model wrote, with its sources', 'Dana: I live in Porto, in a flat in Porto [1].']
  ])('makes no fact of %s', async (_, text) => {
    const mind = await fixture.newMind()
    await mind.tell(text)
    await worker.drain()
    expect(await factsOf(mind)).toEqual([])
  })
})

describe.each(databases)('when memories are consolidated on %s', (kind) => {
  let fixture: ConsolidationFixture
  beforeAll(async () => {
    fixture = await openFixture(kind, { CONSOLIDATE_AFTER: '3', CONSOLIDATE_AGE_MS: '300000' })
    fixture.llm.on('consolidation', RULES)
  })
  afterAll(() => fixture.close())

  it('waits for a few, and then reads them with one call', async () => {
    const worker = fixture.startWorker()
    const mind = await fixture.newMind()
    await mind.tell('Dana: My flat in Porto is cold.')
    await mind.tell('Dana: It rains.')
    await worker.drain()
    expect(await mind.profile()).toEqual([])
    const before = fixture.llm.requests.length
    await mind.tell('Dana: It still rains.')
    await worker.drain()
    expect(fixture.llm.requests.length).toBe(before + 1)
    expect(await mind.profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])
  })

  it('lets no memory wait longer than it may, even if no other comes', async () => {
    const worker = fixture.startWorker()
    const mind = await fixture.newMind()
    await mind.tell('Dana: My flat in Porto is cold.')
    const { dueAt, waitingSince, mindKey } = await mind.job()
    expect(Date.parse(dueAt ?? '') - Date.parse(waitingSince ?? '')).toBeGreaterThan(290_000)
    expect(Date.parse(dueAt ?? '') - Date.parse(waitingSince ?? '')).toBeLessThan(310_000)
    // As it is five minutes later.
    await fixture.test.service.database.transaction((tx) =>
      tx.updateTable('mindJob').set({ dueAt: waitingSince }).where('mindKey', '=', mindKey).execute()
    )
    await worker.drain()
    expect(await mind.profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])
  })

  it('catches up on what was stored while no model was configured', async () => {
    const mind = await fixture.newMind()
    await mind.tell('Dana: My flat in Porto is cold.')
    await fixture.test.service.database.transaction((tx) => tx.deleteFrom('mindJob').execute())
    await fixture.startWorker().drain()
    expect(await mind.profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])
  })
})
