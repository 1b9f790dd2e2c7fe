// Facts that stand on two memories go with either.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { MindWorker } from '../../../src/memory/jobs/worker.ts'
import { databases } from '../../support/databases.ts'
import { BOOKED, byRules, CONFIRMS, type ConsolidationFixture, MAIL, openFixture } from './fixture.ts'

describe.each(databases)('a fact of two memories on %s', (kind) => {
  let fixture: ConsolidationFixture
  let worker: MindWorker
  beforeAll(async () => {
    fixture = await openFixture(kind)
    fixture.llm.on('consolidation', RULES)
    worker = fixture.startWorker()
  })
  afterEach(() => fixture.llm.behave('good'))
  afterAll(() => fixture.close())

  const TALK = [
    'Agent: Is e-mail fine?',
    'Dana: The dog barks.',
    'Dana: Yes.',
    'Agent: So a window seat, too?',
    'Dana: Sure!',
    'Dana: Our boat is the Nautilus.'
  ]
  const CALL = ['Milo: Put me down for Monday.', 'Agent: One moment.', CONFIRMS]
  const TOLD = [...TALK, ...CALL]
  const RULES = byRules({
    'Dana: Yes': [MAIL],
    Sure: [{ ...MAIL, quote: 'Sure', topic: 'seat', value: 'window seat' }],
    'You are booked': [BOOKED],
    Nautilus: [{ ...MAIL, quote: 'boat is the Nautilus', topic: 'boat', value: 'the Nautilus' }]
  })
  const ALL = [
    'Prefers: the Nautilus',
    'Prefers: window seat',
    'Prefers: e-mail',
    'Event: booked for 2026-08-24 at 10:15'
  ]
  const told = async (texts: readonly string[]) => {
    const mind = await fixture.newMind()
    const ids: string[] = []
    for (const text of texts)
      ids.push(await mind.tell(text, CALL.includes(text) ? '2026-05-03' : '2026-05-01'))
    await worker.drain()
    const stated = async () =>
      (await mind.profile()).map((line) =>
        line.replace(/#(\d+)/, (_, index: string) => texts[Number(index)] ?? '')
      )
    return { ...mind, ids, stated }
  }
  const rowsOf = async ({ job }: { job: () => Promise<{ mindKey: number }> }) => {
    const { mindKey } = await job()
    const rows = fixture.test.service.database.read.selectFrom('fact').where('mindKey', '=', mindKey)
    return rows.selectAll().execute()
  }

  it('is there, each as its own', async () => {
    const profile = (await (await told(TOLD)).stated()).join('\n')
    for (const line of ALL) expect(profile).toContain(line)
  })

  it('is after forgetting any of them as if that had never been told', async () => {
    for (const [index, text] of TOLD.entries()) {
      const rest = TOLD.filter((one) => one !== text)
      const mind = await told(TOLD)
      await mind.forget(mind.ids[index] ?? '')
      expect(await mind.stated(), text).toEqual(await (await told(rest)).stated())
    }
  })

  it('goes with either, whatever else holds, and leaves no row', async () => {
    const inOrder = TOLD.map((_, index) => index)
    for (const order of [inOrder, inOrder.toReversed()]) {
      const mind = await told(TOLD)
      for (const index of order) await mind.forget(mind.ids[index] ?? '')
      expect(await rowsOf(mind)).toEqual([])
    }
  })

  it('passes to no other question, and to nobody else, when its own is forgotten', async () => {
    const asked = await told(['Agent: Is e-mail fine?', 'Agent: Or is e-mail bad?', 'Dana: Yes.'])
    await asked.forget(asked.ids[1] ?? '')
    expect(await rowsOf(asked)).toEqual([])
    const booked = await told(['Dana: Hello.', ...CALL])
    expect(await booked.stated()).toContain('About Milo:')
    await booked.forget(booked.ids[1] ?? '')
    expect(await rowsOf(booked)).toEqual([])
  })

  it('isn’t kept where the question is forgotten while the model reads', async () => {
    const mind = await fixture.newMind()
    const question = await mind.tell('Agent: Is e-mail fine?')
    await mind.tell('Dana: Yes.')
    fixture.llm.behave('waits')
    const asked = fixture.llm.asked()
    const done = worker.drain()
    await asked
    await mind.forget(question)
    fixture.llm.behave('good')
    fixture.llm.release()
    await done
    expect(await rowsOf(mind)).toEqual([])
  })

  it('keeps its name where another memory of the same slot is forgotten', async () => {
    const mind = await told(['Milo: Put me down for Monday.', CONFIRMS])
    const before = await mind.profile()
    fixture.llm.on(
      'consolidation',
      byRules({ Remember: [{ ...BOOKED, quote: 'you are booked for Monday 24 August', subject: 'Milo' }] })
    )
    const again = await mind.tell(
      'Remember, Milo, you are booked for Monday 24 August at 10:15.',
      '2026-04-01'
    )
    await worker.drain()
    await mind.forget(again)
    fixture.llm.on('consolidation', RULES)
    expect(await mind.profile()).toEqual(before)
    expect(before.join()).toContain('About Milo')
  })
})
