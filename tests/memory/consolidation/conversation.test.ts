// Facts that stand on two memories: an answer and its question, an agent's confirmation and whom it speaks to.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MindWorker } from '../../../src/memory/jobs/worker.ts'
import {
  BOOKED,
  byRules,
  CONFIRMS,
  type ConsolidationFixture,
  MAIL,
  type Operation,
  openFixture
} from './fixture.ts'

describe('a memory of a conversation', () => {
  let fixture: ConsolidationFixture
  let worker: MindWorker
  beforeAll(async () => {
    fixture = await openFixture('sqlite')
    worker = fixture.startWorker()
  })
  afterAll(() => fixture.close())

  /** The profile after a model answered this about all that is told at once; of the last memory, unless it is named. */
  async function profileAfter(
    texts: readonly (string | [text: string, day: string])[],
    operation: Omit<Operation, 'memory'>,
    about?: string
  ) {
    const last = texts.at(-1) ?? ''
    const text = typeof last === 'string' ? last : last[0]
    fixture.llm.on('consolidation', byRules({ [about ?? text]: [operation] }))
    const mind = await fixture.newMind()
    for (const one of texts) await (typeof one === 'string' ? mind.tell(one) : mind.tell(...one))
    await worker.drain()
    expect((await mind.job()).waiting).toBe(0)
    return mind.profile()
  }

  describe('that answers', () => {
    it.each<[string, string[], Partial<Operation>, string[]]>([
      [
        'an agent’s question',
        ['Agent: Is e-mail fine?', 'Dana: Yes, please.'],
        {},
        ['About Dana:', 'Prefers: e-mail (2026-05-01, #1)']
      ],
      [
        'somebody’s question, after a word of hers',
        ['Milo: Thanks! Is e-mail fine?', 'Dana: Wait, the dog barks.', 'Dana: Yes.'],
        {},
        ['About Dana:', 'Prefers: e-mail (2026-05-01, #2)']
      ],
      [
        'a question without names',
        ['Is e-mail fine?', 'Yes.'],
        { subject: 'customer' },
        ['About the customer:', 'Prefers: e-mail (2026-05-01, #1)']
      ],
      [
        'a question of its own lines',
        ['Agent: Is e-mail fine?\nCustomer: Yes.'],
        { subject: 'customer' },
        ['About the customer:', 'Prefers: e-mail (2026-05-01, #0)']
      ],
      [
        'in another language',
        ['Agent: メールでいいですか？', 'ダナ：はい。'],
        { quote: 'はい', subject: 'ダナ', value: 'メール' },
        ['About ダナ:', 'Prefers: メール (2026-05-01, #1)']
      ],
      [
        'with the question’s day',
        ['Agent: Shall we say Tuesday 5 May at 14:30?', 'Dana: Yes.'],
        { kind: 'plan', value: 'Tuesday 2026-05-05 at 14:30' },
        ['About Dana:', 'Plan: Tuesday 2026-05-05 at 14:30 (2026-05-01, #1)']
      ]
    ])('%s gives the fact to the answer', async (_, texts, more, expected) => {
      expect(await profileAfter(texts, { ...MAIL, ...more })).toEqual(expected)
    })

    it.each<[string, (string | [string, string])[], Partial<Operation>]>([
      ['what the question doesn’t say', ['Agent: Is e-mail fine?', 'Dana: Yes.'], { value: 'phone calls' }],
      ['a number of elsewhere', ['Agent: Is 10:15 fine?', 'Dana: Yes.'], { value: '10:30 is fine' }],
      [
        'a name of elsewhere',
        ['Dana: I know Ana.', 'Agent: Is Marta fine?', 'Dana: Yes.'],
        { value: 'Ana is fine' }
      ],
      ['who asks', ['Milo: Is e-mail fine?', 'Dana: Yes.'], { subject: 'Milo' }],
      ['what she asks herself', ['Dana: Is e-mail fine?', 'Dana: Yes.'], {}],
      ['an earlier question', ['Agent: Is e-mail fine?', 'Agent: Or the phone?', 'Dana: Yes.'], {}],
      ['what isn’t asked', ['Agent: E-mail is fine.', 'Dana: Yes.'], {}],
      ['what is quoted', ['Agent: The form has “Is e-mail fine?” on it.', 'Dana: Yes.'], {}],
      ['the question of another session', [['Agent: Is e-mail fine?', '2026-04-30'], 'Dana: Yes.'], {}],
      [
        'a question, in many words of her own',
        ['Agent: Is e-mail fine?', 'Dana: Yes, and I must tell you what the dog did to the postman.'],
        {}
      ],
      ['a question by a question', ['Agent: Is e-mail fine?', 'Dana: Yes?'], {}],
      ['a customer, as an agent', ['Dana: Is e-mail fine?', 'Agent: Yes.'], {}]
    ])('takes no fact from %s', async (_, texts, more) => {
      expect(await profileAfter(texts, { ...MAIL, ...more })).toEqual([])
    })

    it('takes no words from the question of an earlier batch', async () => {
      fixture.llm.on('consolidation', byRules({ 'Dana: Yes': [MAIL] }))
      const mind = await fixture.newMind()
      await mind.tell('Agent: Is e-mail fine?')
      await worker.drain()
      await mind.tell('Dana: Yes.')
      await worker.drain()
      expect(await mind.profile()).toEqual([])
    })

    it('ends by a bare word only what was asked about', async () => {
      const end = { op: 'END' as const, quote: 'No', fact: 'Porto' }
      const lives: [string, string] = ['Dana: I live in Porto.', '2026-04-01']
      const asked = 'Agent: Do you still live in Porto?'
      const other = 'Agent: Do you still drive a car?'
      expect(await profileOfEnd([lives], [asked, 'Dana: No.'], end)).toEqual([])
      const kept = ['About Dana:', 'Place: Porto (2026-04-01, #0)']
      expect(await profileOfEnd([lives], [other, 'Dana: No.'], end)).toEqual(kept)
      expect(await profileOfEnd([lives], ['Dana: No.'], end)).toEqual(kept)
    })
    async function profileOfEnd(
      before: readonly [string, string][],
      texts: readonly string[],
      end: Omit<Operation, 'memory'>
    ) {
      fixture.llm.on('consolidation', byRules({ 'Dana: No.': [end] }))
      const mind = await fixture.newMind()
      for (const [text, day] of before) await mind.tell(text, day)
      await worker.drain()
      for (const text of texts) await mind.tell(text)
      await worker.drain()
      return mind.profile()
    }
  })

  describe('in which an agent confirms', () => {
    it.each<[string, string[], Partial<Operation>, string[]]>([
      [
        'an appointment gives it to whom it speaks to',
        ['Dana Whitlock: Monday would suit me.', CONFIRMS],
        {},
        ['About Dana Whitlock:', 'Event: booked for 2026-08-24 at 10:15 (2026-05-01, #1)']
      ],
      [
        'one to the customer gives it to the customer',
        [`Customer: Monday would suit me.\n${CONFIRMS}`],
        {},
        ['About the customer:', 'Event: booked for 2026-08-24 at 10:15 (2026-05-01, #0)']
      ],
      [
        'after others have spoken gives it to the last of them',
        ['Milo: I have to go.', 'Dana: Monday, please.', 'Agent: One moment.', CONFIRMS],
        {},
        ['About Dana:', 'Event: booked for 2026-08-24 at 10:15 (2026-05-01, #3)']
      ]
    ])('%s', async (_, texts, more, expected) => {
      expect(await profileAfter(texts, { ...BOOKED, ...more }, 'You are booked')).toEqual(expected)
    })

    it.each<[string, (string | [string, string])[], Partial<Operation>]>([
      ['to nobody', [CONFIRMS], {}],
      ['to somebody of another session', [['Dana: Monday, please.', '2026-04-30'], CONFIRMS], {}],
      ['for somebody of elsewhere', ['Dana: Monday, please.', CONFIRMS], { subject: 'Milo' }],
      ['another hour', ['Dana: Monday, please.', CONFIRMS], { value: 'booked for 2026-08-24 at 11:15' }],
      ['what it doesn’t say', ['Dana: Monday and cake, please.', CONFIRMS], { value: 'cake and tea' }],
      ['as a liking', ['Dana: Monday, please.', CONFIRMS], { kind: 'preference' }],
      [
        'what has been',
        ['Dana: Monday, please.', 'Agent: You are booked for it since Monday 24 March 2025.'],
        { quote: 'You are booked for it', value: 'booked since 2025-03-24' }
      ],
      [
        'without a day',
        ['Dana: Monday, please.', 'Agent: You are booked for a bright morning.'],
        { quote: 'You are booked', value: 'booked for a bright morning' }
      ],
      [
        'perhaps',
        ['Dana: Monday, please.', 'Agent: Perhaps you are booked for Monday 24 August at 10:15.'],
        { quote: 'you are booked for Monday 24 August at 10:15' }
      ],
      [
        'by asking',
        ['Dana: Monday, please.', 'Agent: So you are booked for Monday 24 August at 10:15?'],
        { quote: 'you are booked for Monday 24 August at 10:15' }
      ]
    ])('takes no fact %s', async (_, texts, more) => {
      expect(await profileAfter(texts, { ...BOOKED, ...more }, 'ou are booked')).toEqual([])
    })
  })
})
