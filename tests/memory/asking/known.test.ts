// What an answer without a model begins with where the profile states it, and what it says where nothing answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../support/service.ts'
import { on, tellAndAsk } from './told.ts'

describe('what the profile states', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())

  const ask = (told: Parameters<typeof tellAndAsk>[1], question: string) =>
    tellAndAsk(test.service, told, question)
  const firstLine = async (told: Parameters<typeof tellAndAsk>[1], question: string) =>
    (await ask(told, question)).answer.split('\n')[0]

  const HEADING = 'What this Mind holds on it, the likeliest first:'

  it.each([
    [
      'Where does Ingrid Solheim live?',
      'Ingrid Solheim: I moved to Tromsø.',
      'Ingrid Solheim, Place: Tromsø, told on 2026-03-02 [1].'
    ],
    [
      '¿Cuál es el teléfono de Aurelio Benítez?',
      'Llamada de Aurelio Benítez. Teléfono: 555 0141.',
      'Aurelio Benítez, Contact: 555 0141, told on 2026-03-02 [1].'
    ],
    [
      '高橋 恵子さんの保険会社はどこですか？',
      '高橋 恵子様から電話。保険会社: みなと生命。',
      '高橋 恵子, Insurer: みなと生命, told on 2026-03-02 [1].'
    ]
  ])('leads, with its day and what it stands on: %s', async (question, told, expected) => {
    const asked = await ask([on('2026-02-01', 'The office was painted.'), on('2026-03-02', told)], question)
    expect(asked.answer.split('\n').slice(0, 2)).toEqual([expected, HEADING])
    expect(asked.places[0]).toBe(1)
  })

  it('leads whatever the search would take first', async () => {
    const { answer, places } = await ask(
      [
        on('2026-03-02', 'Ingrid Solheim lives in Tromsø.'),
        on('2026-02-01', 'Ingrid Solheim was asked where she does live, and where one can live at all.')
      ],
      'Where does Ingrid Solheim live?'
    )
    expect(answer).toMatch(/^Ingrid Solheim, Place: Tromsø, told on 2026-03-02 \[1]\.\n/)
    expect(places[0]).toBe(0)
  })

  it('is left out where something newer tells otherwise in words that make no fact', async () => {
    const told = [
      on('2026-03-02', 'Note on Marlow Freight. Contact: Ada Quill.'),
      on('2026-04-02', 'Marlow Freight: Ada Quill left, our contact is Ben Osei from now on.')
    ]
    const { answer, places } = await ask(told, 'Who is the contact of Marlow Freight?')
    expect(answer).not.toContain('Ada Quill, told on')
    expect(places[0]).toBe(1)
  })

  const two = [
    on('2026-03-02', 'Call from Ingrid Solheim. Phone: 555 0141.'),
    on('2026-03-03', 'Call from Ingrid Moe. Phone: 555 0177.')
  ]

  it('is never another one’s, nor that of one of two namesakes', async () => {
    expect(await firstLine(two, 'What is the phone number of Ingrid Moe?')).toBe(
      'Ingrid Moe, Contact: 555 0177, told on 2026-03-03 [1].'
    )
    expect(await firstLine(two, 'What is the phone number of Ingrid?')).toBe(HEADING)
    expect(await firstLine(two, 'What is the phone number of Knut Moe?')).not.toContain('told on')
  })

  it('isn’t said of what was before, nor where more is asked than the fact', async () => {
    const told = [
      on('2026-03-02', 'Ingrid Solheim: I live in Bodø.'),
      on('2026-04-02', 'Ingrid Solheim: I moved to Tromsø.')
    ]
    expect(await firstLine(told, 'Where did Ingrid Solheim live before?')).toBe(HEADING)
    expect(await firstLine(two, 'What is the phone number of Ingrid Solheim’s husband?')).not.toContain(
      'told on'
    )
  })

  describe('where nothing answers', () => {
    const told = [
      on('2026-03-02', 'Call from Ingrid Solheim. Phone: 555 0141. Insurer: Nordvern.'),
      on('2026-05-04', 'Ingrid Solheim came by about the boat.'),
      on('2026-06-08', 'Knut Moe asked for the price list. Phone: 555 0177.')
    ]

    it('says what there is on whom the question names, and charges nothing by its being found', async () => {
      const asked = await ask(told, 'What is the e-mail address of Ingrid Solheim?')
      expect(asked).toMatchObject({ found: false, sources: [] })
      expect(asked.answer).toBe(
        'Nothing in this Mind answers that. On Ingrid Solheim it holds 2 memories, the newest of 2026-05-04, and states: insurer, phone.'
      )
    })

    it('says so of one memory without a fact', async () => {
      const { answer } = await ask(
        [...told, on('2026-07-01', 'Liv Aas rang.')],
        'Is Liv Aas allergic to nuts?'
      )
      expect(answer).toBe('Nothing in this Mind answers that. On Liv Aas it holds one memory of 2026-07-01.')
    })

    it('says nothing of others, and no value', async () => {
      const { answer } = await ask(told, 'What is the date of birth of Knut Moe?')
      expect(answer).not.toMatch(/Ingrid|Solheim|555|insurer/)
      expect((await ask(told, 'What is the e-mail address of Tor Lie?')).answer).toBe(
        'Nothing in this Mind answers that.'
      )
    })
  })
})
