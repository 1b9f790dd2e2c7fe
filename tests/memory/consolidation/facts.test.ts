// What a model reads from memories becomes facts beside those of the rules.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usageOf } from '../../../src/llm/usage.ts'
import type { MindWorker } from '../../../src/memory/jobs/worker.ts'
import { byRules, type ConsolidationFixture, openFixture, type Rules, shownIn } from './fixture.ts'

describe('consolidation', () => {
  let fixture: ConsolidationFixture
  let worker: MindWorker
  beforeAll(async () => {
    fixture = await openFixture('sqlite')
    worker = fixture.startWorker()
  })
  afterAll(() => fixture.close())

  /** Tells the texts to a new Mind, one consolidation each, the model answering by the rules. */
  async function consolidated(texts: readonly (string | [text: string, day: string])[], rules: Rules) {
    fixture.llm.on('consolidation', byRules(rules))
    const mind = await fixture.newMind()
    const ids: string[] = []
    for (const text of texts) {
      ids.push(typeof text === 'string' ? await mind.tell(text) : await mind.tell(...text))
      await worker.drain()
    }
    return { ...mind, ids }
  }

  const ILL = {
    ...{ op: 'ADD' as const, quote: 'Peanuts make me ill', subject: 'Dana', kind: 'preference' },
    ...{ topic: 'peanuts', value: 'peanuts make her ill' }
  }
  const PEANUTS = { 'Peanuts make': [ILL] }
  const LIVES = {
    ...{ op: 'ADD' as const, quote: 'my flat in Porto', subject: 'Dana', kind: 'place', value: 'Porto' }
  }

  it('adds what a memory states, cited and dated in the profile', async () => {
    const { profile } = await consolidated([['Dana: Peanuts make me ill.', '2026-05-02']], PEANUTS)
    expect(await profile()).toEqual(['About Dana:', 'Prefers: peanuts make her ill (2026-05-02, #0)'])
  })

  it('reads a memory in another language, and answers in it', async () => {
    const { profile } = await consolidated(['Лена: Я переехала в Лиссабон и работаю врачом.'], {
      переехала: [
        { op: 'ADD', quote: 'переехала в Лиссабон', subject: 'Лена', kind: 'place', value: 'Лиссабон' },
        { op: 'ADD', quote: 'работаю врачом', subject: 'Лена', kind: 'role', value: 'врач' }
      ]
    })
    expect(await profile()).toEqual([
      'About Лена:',
      'Role: врач (2026-05-01, #0)',
      'Place: Лиссабон (2026-05-01, #0)'
    ])
  })

  it('replaces a known fact by a newer one, and shows the former one when that is forgotten', async () => {
    const { profile, forget, ids } = await consolidated(
      [
        ['Dana: Had to leave my flat in Porto open.', '2026-05-01'],
        ['Dana: The new flat is in Lisbon, and it is bright.', '2026-05-03']
      ],
      {
        Porto: [LIVES],
        Lisbon: [{ op: 'SUPERSEDE', quote: 'new flat is in Lisbon', fact: 'Porto', value: 'Lisbon' }]
      }
    )
    expect(await profile()).toEqual(['About Dana:', 'Place: Lisbon (2026-05-03, #1)'])
    await forget(ids[1] ?? '')
    expect(await profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])
  })

  it('lets what is told late about an earlier time change nothing', async () => {
    const { profile } = await consolidated(
      [
        ['Dana: Had to leave my flat in Porto open.', '2026-05-05'],
        ['Dana: The new flat is in Lisbon.', '2026-05-02']
      ],
      {
        Porto: [LIVES],
        Lisbon: [{ op: 'SUPERSEDE', quote: 'new flat is in Lisbon', fact: 'Porto', value: 'Lisbon' }]
      }
    )
    expect(await profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-05, #0)'])
  })

  it('ends what a memory says is no longer so', async () => {
    const { profile, forget, ids } = await consolidated(
      [
        ['Dana: Had to leave my flat in Porto open.', '2026-05-01'],
        ['Dana: I gave up the flat.', '2026-05-04']
      ],
      { Porto: [LIVES], 'gave up': [{ op: 'END', quote: 'I gave up the flat', fact: 'Porto' }] }
    )
    expect(await profile()).toEqual([])
    await forget(ids[1] ?? '')
    expect(await profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])
  })

  it('shows what was told twice once, and keeps it until both memories are forgotten', async () => {
    const { profile, forget, ids } = await consolidated(
      [
        ['Dana: Had to leave my flat in Porto open.', '2026-05-01'],
        ['Dana: Porto is where my flat is.', '2026-05-02']
      ],
      { 'to leave': [LIVES], 'is where': [{ op: 'NOOP', quote: 'Porto is where my flat is', fact: 'Porto' }] }
    )
    expect(await profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-02, #1)'])
    await forget(ids[1] ?? '')
    expect(await profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])
    await forget(ids[0] ?? '')
    expect(await profile()).toEqual([])
  })

  it('keeps a fact once that a model adds again under another topic', async () => {
    const { profile } = await consolidated(
      ['Dana: Peanuts make me ill.', 'Dana: As I said, Peanuts make me ill!'],
      {
        'Dana: Peanuts': [ILL],
        'As I said': [{ ...ILL, topic: 'food allergy' }]
      }
    )
    expect(await profile()).toEqual(['About Dana:', 'Prefers: peanuts make her ill (2026-05-01, #1)'])
  })

  it('says nothing twice that the rules read from the same memory', async () => {
    const { profile, job } = await consolidated(['Dana: I live in Porto.'], {
      Porto: [
        { op: 'ADD', quote: 'I live in Porto', subject: 'Dana', kind: 'place', value: 'Porto' },
        { op: 'ADD', quote: 'I live in Porto', subject: 'customer', kind: 'place', value: 'Porto' }
      ]
    })
    expect(await profile()).toEqual(['About Dana:', 'Place: Porto (2026-05-01, #0)'])
    const { mindKey } = await job()
    const rows = await fixture.test.service.database.read
      .selectFrom('fact')
      .where('mindKey', '=', mindKey)
      .select('origin')
      .execute()
    expect(rows).toEqual([{ origin: 'rules' }])
  })

  it('takes what it reads more exactly than the rules for the same, and not for a change', async () => {
    const { profile, caller } = await consolidated(['Dana: I live in Porto, near Foz.'], {
      Porto: [
        { op: 'ADD', quote: 'I live in Porto', subject: 'Dana', kind: 'place', value: 'Porto, near Foz' }
      ]
    })
    expect(await profile()).toEqual(['About Dana:', 'Place: Porto, near Foz (2026-05-01, #0)'])
    const { mindKey } = await fixture.test.service.database.read
      .selectFrom('mind')
      .where('customerId', '=', caller.customerId)
      .select('key as mindKey')
      .executeTakeFirstOrThrow()
    const heads = await fixture.test.service.database.read
      .selectFrom('fact')
      .where('mindKey', '=', mindKey)
      .where('headTier', 'is not', null)
      .select(['value', 'replaced'])
      .execute()
    expect(heads).toEqual([{ value: 'Porto, near Foz', replaced: null }])
  })

  it('dates an event by the day that the memory tells', async () => {
    const { profile } = await consolidated([['Dana: Yesterday the twins arrived.', '2026-05-20']], {
      twins: [
        {
          ...{ op: 'ADD' as const, quote: 'Yesterday the twins arrived', subject: 'Dana', kind: 'event' },
          ...{ value: 'the twins arrived', date: '2026-05-19' }
        }
      ]
    })
    expect(await profile()).toEqual(['About Dana:', 'Event: the twins arrived (2026-05-19, #0)'])
  })

  it('takes a day that the memory doesn’t tell for the day of the memory', async () => {
    const { profile } = await consolidated([['Dana: Yesterday the twins arrived.', '2026-05-20']], {
      twins: [
        {
          ...{ op: 'ADD' as const, quote: 'the twins arrived', subject: 'Dana', kind: 'event' },
          ...{ value: 'the twins arrived', date: '2019-01-01' }
        }
      ]
    })
    expect(await profile()).toEqual(['About Dana:', 'Event: the twins arrived (2026-05-20, #0)'])
  })

  it('shows the model the days, the authors and what is known, all within one fence', async () => {
    const { llm } = fixture
    await consolidated(
      [
        ['Dana: I live in Porto.', '2026-05-01'],
        ['Dana: The dog is called Rex.', '2026-05-02']
      ],
      {}
    )
    const { user, system } = llm.requests.at(-1) ?? { user: '', system: '' }
    const { memories, facts } = shownIn({ user })
    expect(memories).toEqual([
      { id: 'm1', day: '2026-05-02, Saturday', author: 'Dana', text: 'Dana: The dog is called Rex.' }
    ])
    expect(facts).toEqual([{ id: 'f1', subject: 'Dana', kind: 'place', value: 'Porto' }])
    const [, mark] = /<stored-text ([0-9a-f]{24})>/.exec(user) ?? []
    expect(user.endsWith(`</stored-text ${mark}>`)).toBe(true)
    expect(system).not.toContain('Rex')
  })

  it('records what it took for the Mind', async () => {
    const { job } = await consolidated(['Dana: Peanuts make me ill.'], PEANUTS)
    const { mindKey } = await job()
    const [usage] = await usageOf(fixture.test.service.database.read, mindKey)
    expect(usage).toMatchObject({ purpose: 'consolidate', calls: 1 })
    expect(usage?.costMicros).toBeGreaterThan(0)
  })

  it('reads a memory that is too long for one call in several', async () => {
    const filler = 'The weather was fine that day and we talked about nothing. '.repeat(400)
    const before = fixture.llm.requests.length
    const whole = `Dana: ${filler}Peanuts make me ill.`
    const { profile } = await consolidated([whole], PEANUTS)
    expect(await profile()).toEqual(['About Dana:', 'Prefers: peanuts make her ill (2026-05-01, #0)'])
    const texts = fixture.llm.requests
      .slice(before)
      .map((request) => shownIn(request).memories[0]?.text ?? '')
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.join('') === whole).toBe(true)
  })
})
