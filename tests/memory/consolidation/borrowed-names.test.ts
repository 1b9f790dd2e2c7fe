// A fact may follow one that another memory told. When that memory is forgotten, nothing that only it had said stays.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { MindWorker } from '../../../src/memory/jobs/worker.ts'
import { databases } from '../../support/databases.ts'
import { tablesWith } from '../every-table.ts'
import { byRules, type ConsolidationFixture, openFixture } from './fixture.ts'

const SEAT = 'The quill seat list has Dana Reyes at the window.'
const RULES = byRules({
  boat: [{ op: 'ADD', quote: 'sell the vermilion boat', kind: 'plan', value: 'sell the vermilion boat' }],
  'plan is off': [{ op: 'END', quote: 'That plan is off', fact: 'sell the vermilion boat' }],
  quill: [
    {
      ...{ op: 'ADD', quote: 'Dana Reyes at the window', subject: 'Dana Reyes' },
      ...{ kind: 'preference', topic: 'quill seat', value: 'window' }
    }
  ],
  Aisle: [{ op: 'SUPERSEDE', quote: 'Aisle for me now', fact: 'window', value: 'aisle' }]
})

describe.each(databases)('facts that follow a forgotten one on %s', (kind) => {
  let fixture: ConsolidationFixture
  let worker: MindWorker
  beforeAll(async () => {
    fixture = await openFixture(kind)
    fixture.llm.on('consolidation', RULES)
    worker = fixture.startWorker()
  })
  afterEach(() => fixture.llm.behave('good'))
  afterAll(() => fixture.close())

  it('leave no word of what they ended', async () => {
    const mind = await fixture.newMind()
    const told = await mind.tell('We plan to sell the vermilion boat.')
    await worker.drain()
    expect((await mind.profile()).join('\n')).toContain('vermilion boat')
    await mind.tell('That plan is off.', '2026-05-02')
    await worker.drain()
    expect((await mind.profile()).join('\n')).not.toContain('vermilion boat')
    await mind.forget(told)
    expect(await tablesWith(fixture.test, 'vermilion')).toEqual([])
    expect(await tablesWith(fixture.test, 'boat')).toEqual([])
  })

  it('leave no name that only it had told, and hold on', async () => {
    const mind = await fixture.newMind()
    const told = await mind.tell(SEAT)
    await worker.drain()
    await mind.tell('Dana: Aisle for me now.', '2026-05-02')
    await worker.drain()
    expect(await mind.profile()).toEqual(['About Dana Reyes:', 'Prefers: aisle (2026-05-02, #1)'])
    await mind.forget(told)
    expect(await mind.profile()).toEqual(['About Dana:', 'Prefers: aisle (2026-05-02, #1)'])
    expect(await tablesWith(fixture.test, 'Reyes')).toEqual([])
    expect(await tablesWith(fixture.test, 'quill')).toEqual([])
  })

  it('do so too where it is forgotten while the model reads', async () => {
    const mind = await fixture.newMind()
    const told = await mind.tell(SEAT)
    await worker.drain()
    await mind.tell('Dana: Aisle for me now.', '2026-05-02')
    fixture.llm.behave('waits')
    const asked = fixture.llm.asked()
    const done = worker.drain()
    await asked
    await mind.forget(told)
    fixture.llm.behave('good')
    fixture.llm.release()
    await done
    expect(await mind.profile()).toEqual(['About Dana:', 'Prefers: aisle (2026-05-02, #1)'])
    expect(await tablesWith(fixture.test, 'Reyes')).toEqual([])
    expect(await tablesWith(fixture.test, 'quill')).toEqual([])
  })
})
