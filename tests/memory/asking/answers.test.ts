// What an answer without a model leads with: what holds, of whom it is asked about, of the time that is meant.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestService, type TestService } from '../../support/service.ts'
import { on, tellAndAsk } from './told.ts'

describe('an answer without a model', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())
  afterEach(() => {
    vi.useRealTimers()
  })

  const ask = (told: Parameters<typeof tellAndAsk>[1], question: string) =>
    tellAndAsk(test.service, told, question)

  describe('leads with what holds, and marks what it replaced', () => {
    it.each([
      [
        'a move',
        'Where does Ingrid Solheim live?',
        'Ingrid Solheim: I live in Bodø.',
        'Ingrid Solheim: I moved to Tromsø.'
      ],
      [
        'a number',
        '¿Cuál es el teléfono de Aurelio Benítez?',
        'Llamada de Aurelio Benítez. Teléfono: 555 0141.',
        'Llamada de Aurelio Benítez. Su nuevo teléfono: 555 0142.'
      ],
      [
        'a budget',
        'Wie hoch ist das Budget von Wiebke Harmsen?',
        'Anruf von Wiebke Harmsen. Budget: 3.000 Euro.',
        'Anruf von Wiebke Harmsen. Budget jetzt 3.500 Euro.'
      ],
      [
        'an insurer',
        '高橋 恵子さんの保険会社はどこですか？',
        '高橋 恵子様から電話。保険会社: あけぼの生命。',
        '高橋 恵子様から電話。保険会社が変わりました。新しい保険会社: みなと生命。'
      ]
    ])('%s, in either order of telling', async (_, question, older, newer) => {
      const inOrder = [on('2026-03-02', older), on('2026-04-06', newer)]
      expect(await ask(inOrder, question)).toMatchObject({ places: [1, 0], earlier: [0] })
      expect(await ask(inOrder.toReversed(), question)).toMatchObject({ places: [0, 1], earlier: [1] })
    })

    it('a correction', async () => {
      const { places, earlier } = await ask(
        [
          on('2026-03-02', 'Call note: Tobias Wren. Policy number KX-20817.'),
          on('2026-03-09', 'Call note: Tobias Wren. Correction: policy number is KX-20871.')
        ],
        'What is the policy number of Tobias Wren?'
      )
      expect(places).toEqual([1, 0])
      expect(earlier).toEqual([0])
    })

    it('a cancellation', async () => {
      const { places, earlier } = await ask(
        [
          on('2026-03-02', 'Tobias Wren booked an appointment for a sail fitting on 20 April 2026.'),
          on('2026-03-09', 'Tobias Wren cancelled the sail fitting on 20 April 2026.')
        ],
        'When is the sail fitting of Tobias Wren?'
      )
      expect(places).toEqual([1, 0])
      expect(earlier).toEqual([0])
    })

    it('but the older one where it is asked what was before', async () => {
      const told = [
        on('2026-03-02', 'Ingrid Solheim: I live in Bodø.'),
        on('2026-04-06', 'Ingrid Solheim: I moved to Tromsø.')
      ]
      const { places, earlier } = await ask(told, 'Where did Ingrid Solheim live before?')
      expect(places[0]).toBe(0)
      expect(earlier).toEqual([])
    })
  })

  describe('is about whom it is asked about', () => {
    const twoWrens = [
      on('2026-03-02', 'Call note: Tobias Wren. Phone: 555 0161.'),
      on('2026-03-03', 'Call note: Lydia Wren. Phone: 555 0162.'),
      on('2026-03-04', 'Call note: Lydia Wren. Allergic to penicillin.'),
      on('2026-03-05', 'Call note: Lydia Wren. Quoted 480 euros for the winter berth.')
    ]

    it.each([
      ['by an initial', 'Which keel does Tobias Wren have?', 'T. Wren has a fin keel.'],
      ['by the only full name', 'Which keel does Tobias have?', 'T. Wren has a fin keel.']
    ])('however they are told: %s', async (_, question, told) => {
      const { places } = await ask([...twoWrens, on('2026-03-01', told)], question)
      expect(places[0]).toBe(4)
    })

    it('in other words than the question has', async () => {
      const told = [...twoWrens, on('2026-03-01', 'Tobias Wren has a ketch.')]
      const { places } = await ask(told, 'What boat does Tobias Wren sail?')
      expect(places.toSorted()).toEqual([0, 4])
    })

    it('not about a namesake whose passage is newer', async () => {
      const { places } = await ask(twoWrens, 'What is the phone number of Tobias Wren?')
      expect(places).toEqual([0])
    })

    it.each([
      'Is Tobias Wren allergic to anything?',
      'What price was Tobias Wren quoted?',
      'What is the phone number of Marit Wren?',
      'What is the e-mail address of Lydia Wren?'
    ])('and says nothing where only somebody else’s is known: %s', async (question) => {
      expect(await ask(twoWrens, question)).toMatchObject({ found: false, sources: [] })
    })

    it.each([
      ['Wie lautet die Telefonnummer von Jannes Petersen?', 'Anruf von Wiebke Harmsen. Telefon: 555 0163.'],
      ['¿Cuál es el teléfono de Renata Lucero?', 'Llamada de Aurelio Benítez. Teléfono: 555 0141.'],
      ['石井 健さんの電話番号は？', '高橋 恵子様から電話。電話番号: 555-0164。']
    ])('and says nothing in other languages either: %s', async (question, theirs) => {
      expect(await ask([on('2026-03-02', theirs)], question)).toMatchObject({ found: false, sources: [] })
    })

    it('takes somebody’s own words for theirs', async () => {
      const { places } = await ask(
        [
          on('2026-03-02', 'Lydia Wren: My number is 555 0162.'),
          on('2026-03-03', 'Tobias Wren: My number is 555 0161.')
        ],
        'What is the phone number of Lydia Wren?'
      )
      expect(places).toEqual([0])
    })

    it('carries the subject of a note over to the sentences that name nobody', async () => {
      const { places } = await ask(
        [
          on('2026-03-02', 'Call note: Tobias Wren. Wants the hull polished. He is allergic to latex.'),
          on('2026-03-03', 'Call note: Lydia Wren. Wants a new mast.')
        ],
        'What is Tobias Wren allergic to?'
      )
      expect(places).toEqual([0])
    })

    it('takes what an agent confirms for that of whom it speaks with', async () => {
      const at = (minute: string, content: string) => ({
        content,
        occurredAt: `2026-03-02T10:${minute}:00.000Z`
      })
      const { places } = await ask(
        [
          at('00', 'Lydia Wren: Could I get a slot for the keel inspection?'),
          at('01', 'Agent: You are booked for the keel inspection on 14 April 2026 at 9:00.'),
          on('2026-03-05', 'Call note: Tobias Wren. Keel inspection on 21 April 2026.')
        ],
        'When is the keel inspection of Lydia Wren?'
      )
      expect(places[0]).toBe(1)
    })

    it('hears the contact of a company as the company', async () => {
      const { places } = await ask(
        [
          on('2026-03-02', 'Pellworth Marine: contact is Oona Tarrant.'),
          on('2026-03-09', 'Oona Tarrant: We need 14 seats for the summer.'),
          on('2026-03-10', 'Bram Okoro: We need 3 seats for the summer.')
        ],
        'How many seats does Pellworth Marine need for the summer?'
      )
      expect(places[0]).toBe(1)
      expect(places).not.toContain(2)
    })

    it('follows the number of a matter', async () => {
      const { places } = await ask(
        [
          on('2026-03-02', 'Ticket #48213 opened by Oona Tarrant: bilge pump fails.'),
          on('2026-03-04', 'Ticket #48213: solved, the bilge pump relay was replaced.'),
          on('2026-03-05', 'Ticket #48377: solved, the bilge pump hose was replaced.')
        ],
        'What was replaced on the bilge pump of Oona Tarrant?'
      )
      expect(places).toContain(1)
      expect(places).not.toContain(2)
    })
  })

  describe('of a time', () => {
    /** A Wednesday. */
    const today = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-17T12:00:00Z') })
    const diary = [
      on('2026-06-16', 'Sanded the deck of the Kittiwake.'),
      on('2026-06-09', 'Varnished the mast of the Kittiwake.'),
      on('2026-06-11', 'Oona Tarrant paid the berth.'),
      on('2026-05-20', 'Replaced the rudder of the Gannet.')
    ]

    it.each([
      ['What happened yesterday?', [0]],
      ['What happened last week?', [1, 2]],
      ['What happened between 18 May and 10 June?', [3, 1]],
      ['Was ist letzte Woche passiert?', [1, 2]],
      ['¿Qué pasó ayer?', [0]],
      ['先週何がありましたか？', [1, 2]]
    ])('tells everything in its order, and nothing else: %s', async (question, places) => {
      today()
      expect((await ask(diary, question)).places).toEqual(places)
    })

    it('says nothing where nothing happened', async () => {
      today()
      expect(await ask(diary, 'What happened in April?')).toMatchObject({ found: false, sources: [] })
    })
  })

  it.each([
    [
      'When does Bram Okoro bring the sails?',
      'Bram Okoro brings the sails next Tuesday at 5 pm.',
      '(Tue 10 Mar 2026, 17:00)'
    ],
    ['Wann kommt Wiebke Harmsen?', 'Wiebke Harmsen kommt übermorgen mit der Plane.', '(Mi., 4. März 2026)'],
    ['¿Cuándo viene Aurelio Benítez?', 'Aurelio Benítez viene mañana.', '3 mar 2026']
  ])('tells which day is meant: %s', async (question, told, day) => {
    expect((await ask([on('2026-03-02', told)], question)).answer).toContain(day)
  })
})
