import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unfoundedIn } from '../../../src/memory/embedded/answering/grounding.ts'
import { type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { type AnsweringFixture, answerCiting, labelOf, openAnswering } from './fixture.ts'

const item = (content: string, day = 'Wednesday 2026-05-06') => ({ text: `${day}: ${content}`, content })

/** What is unfounded in an answer that cites one item. */
const unfounded = (content: string, answer: string, question = 'What do you know?') => {
  const cited = [item(content)]
  return unfoundedIn([{ text: answer, cited }], cited, question)
}

describe('an answer stands on the item that it cites, where it', () => {
  it.each([
    ['groups its digits otherwise', 'The offer is 1,890 EUR.', 'It is 1.890 EUR, 1 890 EUR or 1890.'],
    ['has other digits', 'السعر ١٨٩٠ ريال', 'The price is 1890.'],
    ['has another decimal mark', 'Miete: 1,5 Monate', 'It is 1.5 months.'],
    [
      'writes a number as digits',
      'We need three chairs and twelve tables.',
      'They need 3 chairs and 12 tables.'
    ],
    ['writes another language’s number as digits', 'Wir brauchen fünf Stühle.', 'They need 5 chairs.'],
    ['writes a number as a word', 'We need 3 chairs.', 'They need three chairs.'],
    ['counts in words', 'I saw Ida in Oslo. I saw Ida in Rome.', 'They met Ida twice, in two towns.'],
    ['writes a day with its year', 'See you on 5 May.', 'On 5 May 2026.'],
    ['writes a day in figures', 'See you on 5 May.', 'On 2026-05-05, or 05.05.2026.'],
    ['writes a day in another language', 'See you on 9 May 2026.', 'El 9 de mayo de 2026.'],
    ['writes a day in figures without its year', 'See you on May 9th.', 'Am 9.5. um acht.'],
    ['names the item’s own day', 'I bought the boat.', 'They bought it on Wednesday, May 6, 2026.'],
    ['names the weekday of a day', 'See you on 9 May 2026.', 'On Saturday, le samedi 9 mai, el sábado.'],
    ['names the month alone', 'See you on 9 May 2026.', 'In May 2026.'],
    ['writes an hour of 24', 'See you at 5 pm.', 'At 17:00, à 17h.'],
    ['writes an hour as Germans do', 'See you at 5 pm.', 'Er kommt um 17 Uhr und nicht später.'],
    ['writes an hour with its half', 'See you at 17:30.', 'At 5:30 p.m.'],
    ['writes an hour that lacks its half', 'See you at 5.', 'At 5 pm.'],
    ['leaves a number’s beginning out', 'Call +49 30 123 456 78.', 'The number is 030/12345678.'],
    ['has accents of its own', 'José lives in Córdoba.', 'He, Jose, lives in Cordoba.'],
    ['has a name’s genitive', 'Ida lives in Oslo.', 'It is Ida’s town, and Oslo’s harbour.'],
    ['bends a name', 'Я живу в Москве. Меня зовут Анна.', 'Он из Москвы, по имени Анна.'],
    ['writes a name in another script', 'Я живу в Москве.', 'The customer lives in Moscow.'],
    ['writes nouns large', 'Ich komme am Freitag.', 'Der Kunde kommt mit dem Wagen in die Praxis.']
  ])('%s', (_, content, answer) => {
    expect(unfounded(content, answer)).toEqual([])
  })

  it('names whom the question names, and nobody else is meant', () => {
    const question = 'Where does Dana Reyes live?'
    expect(unfounded('Customer: I live in Lisbon.', 'Dana Reyes lives in Lisbon.', question)).toEqual([])
    expect(unfounded('Dana called, she lives in Lisbon.', 'That is Dana Reyes in Lisbon.', question)).toEqual(
      []
    )
  })

  it('counts the items', () => {
    const cited = [item('Came to the practice.'), item('Came again.'), item('Came.')]
    expect(unfoundedIn([{ text: 'There were 3 visits.', cited }], cited, 'How often?')).toEqual([])
    expect(unfoundedIn([{ text: 'There were 4 visits.', cited }], cited, 'How often?')).toEqual(['4'])
  })
})

describe('an answer stands on nothing where it has', () => {
  it.each([
    ['another number', 'The code is 4711.', 'The code is 4712.', '4712'],
    ['a part of a number', 'The code is 4711.', 'The code is 471.', '471'],
    ['another fraction', 'It weighs 15 kg.', 'It weighs 1.5 kg.', '1.5'],
    ['a sum', 'I paid 100 and then 200 EUR.', 'They paid 300 EUR.', '300'],
    ['another telephone number', 'Call +49 30 12345678.', 'The number is 030/12345679.', '3012345679'],
    ['the day after', 'See you on 5 May.', 'On 6 June.', '6-6'],
    ['the day after, in figures', 'See you on 9 May 2026.', 'On 2026-05-10.', '2026-5-10'],
    ['another year', 'See you on 9 May 2026.', 'On 9 May 2028.', '2028-5-9'],
    ['a day of a month', 'It was in March 2026.', 'On 3 March 2026.', '2026-3-3'],
    ['another weekday', 'See you on 9 May 2026.', 'El viernes.', 'viernes'],
    ['another English weekday', 'See you on 9 May 2026.', 'On Friday.', 'friday'],
    ['another half of the day', 'See you at 5 am.', 'At 17:00.', '17:00'],
    ['another hour', 'See you at 17:00.', 'At 5:30 pm.', '5:30 pm'],
    ['another name', 'My sister lives in Oslo.', 'The sister lives in Rome.', 'rome'],
    ['another name of a family', 'Ida lives in Oslo.', 'It is Idara, of Oslo.', 'idara']
  ])('%s', (_, content, answer, wrong) => {
    expect(unfounded(content, answer)).toEqual([wrong])
  })

  it('a namesake’s', () => {
    const question = 'What is Dana Reyes’ number?'
    expect(unfounded('Dana Klein: call me at 5550100.', 'Dana Reyes has 5550100.', question)).toEqual([
      'reyes'
    ])
    expect(unfounded('Note: Carlos Reyes has 5550100.', 'Dana Reyes has 5550100.', question)).toEqual([
      'dana'
    ])
  })

  it('what somebody else said of themselves', () => {
    const question = 'Where does Ben live?'
    expect(unfounded('Ada: I live in Oslo.', 'Ben lives in Oslo.', 'So where does Ben live?')).toEqual([
      'ben'
    ])
    expect(unfounded('Ada: I live in Oslo.', 'In Oslo lives Ben.', question)).toEqual(['ben'])
    const [ada, ben] = [item('Ada: I live in Oslo.'), item('Ben: Nice!')]
    const claim = { text: 'Ben lives in Oslo.', cited: [ada] }
    expect(unfoundedIn([claim], [ada, ben], 'Who lives there?')).toEqual(['ben'])
  })

  it('what stands in another item', () => {
    const [ada, ben] = [item('Ada: My code is 4711.'), item('Ben: My code is 815.')]
    const claims = [
      { text: 'Ada has 815.', cited: [ada] },
      { text: 'Ben has 815.', cited: [ben] }
    ]
    expect(unfoundedIn(claims, [ada, ben], 'Which codes?')).toEqual(['815'])
  })
})

describe('a model whose answer doesn’t hold', () => {
  let test: AnsweringFixture
  let ada: MemoryCaller
  beforeAll(async () => {
    test = await openAnswering('sqlite')
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    test.llm.requests.length = 0
    ada = await makeMemoryCaller(test.service)
    const tell = (content: string) => ada.call('remember', { content, occurredAt: '2026-05-06T10:00:00Z' })
    await tell('Dana Klein: My garage code is 4711, and I fetched the boat yesterday.')
    await tell('Ben: My garage code is 815.')
  })

  const question = 'What is the garage code of Dana Reyes?'

  it.each([
    ['another number', 'The code is 4712'],
    ['the number of an item that it doesn’t cite', 'The code is 815'],
    ['a namesake', 'The code of Dana Reyes is 4711'],
    ['a day too late', 'The boat was fetched on 6 June'],
    ['a weekday of its own', 'The boat was fetched on Monday']
  ])('is asked once more, and then answered without it: %s', async (_, answer) => {
    test.llm.on('memory_answer', answerCiting(answer, '4711'))
    expect(await ada.call('ask', { question })).toMatchObject({
      // Without the model: nothing is known of her, and a namesake's garage isn't hers.
      answer: 'Nothing in this Mind answers that.',
      ...{ model: null, degraded: true, credits: 0 }
    })
    expect(test.llm.requests).toHaveLength(2)
    expect(test.llm.requests[1]?.user).toContain('stand in none of the items cited for them')
  })

  it('is believed once it is corrected', async () => {
    test.llm.on('memory_answer', (request, call) =>
      answerCiting(
        call === 1 ? 'The code is 4712' : 'The code is 4711, fetched on Tuesday, 5 May',
        '4711'
      )(request)
    )
    expect(await ada.call('ask', { question })).toMatchObject({
      answer: 'The code is 4711, fetched on Tuesday, 5 May [1]',
      ...{ degraded: false, credits: 1 }
    })
  })

  it('mixes two items up is refused, sentence by sentence', async () => {
    test.llm.on('memory_answer', (request) => {
      const [dana, ben] = [labelOf(request, '4711'), labelOf(request, '815')]
      const answer = `Dana Klein has 815. [${dana}] Ben has 4711 [${ben}].`
      return { isAnswered: true, answer, citations: [dana, ben] }
    })
    expect(await ada.call('ask', { question })).toMatchObject({ model: null, degraded: true })
    test.llm.on('memory_answer', (request) => {
      const [dana, ben] = [labelOf(request, '4711'), labelOf(request, '815')]
      const answer = `Dana Klein has 4711. [${dana}] Ben has 815 [${ben}].`
      return { isAnswered: true, answer, citations: [dana, ben] }
    })
    expect(await ada.call('ask', { question })).toMatchObject({
      answer: 'Dana Klein has 4711. [1] Ben has 815 [2].'
    })
  })
})
