import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { latinLanguagesOf } from '../../src/memory/embedded/language.ts'
import { searchMind } from '../../src/memory/embedded/search.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { english } from './languages/english.ts'
import { european, others, samples } from './languages/samples.ts'
import { tellMind } from './told-mind.ts'

describe('memories in many languages', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())

  const found = async (mindKey: number, question: string, limit = 3) => {
    const { hits } = await searchMind(test.service.database.read, mindKey, question, { limit })
    return hits.map(({ content }) => content)
  }

  const missed = async (mindKey: number, questions: readonly (readonly [string, string])[]) => {
    const misses: string[] = []
    for (const [question, answerHas] of questions) {
      const contents = await found(mindKey, question)
      if (!contents.some((content) => content.includes(answerHas))) misses.push(question)
    }
    return misses
  }

  it.each(european)('finds in $name all ten answers of ten', async ({ memories, questions }) => {
    const { mindKey } = await tellMind(test.service, memories)
    expect(questions).toHaveLength(10)
    expect(memories).toHaveLength(20)
    expect(await missed(mindKey, questions)).toEqual([])
  })

  it.each(others)('finds in $name nine answers of ten or more', async ({ memories, questions }) => {
    const { mindKey } = await tellMind(test.service, memories)
    expect(questions).toHaveLength(10)
    expect(memories).toHaveLength(20)
    expect((await missed(mindKey, questions)).length).toBeLessThanOrEqual(1)
  })

  it('finds each language in one Mind that holds all of them', async () => {
    const { mindKey } = await tellMind(
      test.service,
      samples.flatMap(({ memories }) => memories)
    )
    for (const { name, questions } of samples) {
      expect.soft((await missed(mindKey, questions)).length, name).toBeLessThanOrEqual(1)
    }
  })

  describe('across languages', () => {
    let mindKey: number
    beforeAll(async () => {
      const told = await tellMind(test.service, [
        'Herr Weißmüller arbeitet seit Mai bei der Sparkasse.',
        'Amélie a commandé trois gâteaux pour samedi.',
        'The order AB1207 was shipped on Monday.',
        'Rappeler le client au +49 170 555 01 23 avant midi.',
        'Счёт № 4711 оплачен вчера.',
        'La factura de 12.500 euros sigue pendiente.',
        'Скажи, что письма идут на kontakt@nordwind.example.',
        'O’Brien vuole cambiare il piano tariffario.',
        ...english.memories
      ])
      mindKey = told.mindKey
    })

    it.each([
      ['Where does Mr Weißmüller work?', 'Weißmüller'],
      ['¿Qué sabemos del señor Weissmueller?', 'Weißmüller'],
      ['Was schrieb Amélie?', 'Amélie'],
      ['What does Amelie want?', 'Amélie'],
      ['Что с заказом AB-1207?', 'AB1207'],
      ['Wie ist die Telefonnummer 0170 5550123 gespeichert?', '+49 170 555 01 23'],
      ['请问发票 4711 付了吗？', '4711'],
      ['Wer bezahlte 12500 Euro?', '12.500'],
      ['¿De quién es kontakt@nordwind.example?', 'nordwind'],
      ['O’Brien wants what?', 'O’Brien']
    ])('finds names and numbers: %s', async (question, answerHas) => {
      expect((await found(mindKey, question))[0]).toContain(answerHas)
    })
  })

  it('takes no letters within a code for words', () => {
    const told = 'The garage code is 4711t4d02m66l47.'
    expect(latinLanguagesOf(told)).toEqual(latinLanguagesOf('The garage code is 4711.'))
  })

  it('finds in a text of one or two words whatever its language is', async () => {
    const { mindKey } = await tellMind(test.service, [
      'Fragole fresche',
      'Neue Fahrräder',
      'Vélos cassés',
      'Coches rojos'
    ])
    expect((await found(mindKey, 'Chi vuole una fragola fresca?'))[0]).toBe('Fragole fresche')
    expect((await found(mindKey, 'Wo ist das neue Fahrrad?'))[0]).toBe('Neue Fahrräder')
    expect((await found(mindKey, 'Quel velo est casse ?'))[0]).toBe('Vélos cassés')
    expect((await found(mindKey, '¿De quién es el coche rojo?'))[0]).toBe('Coches rojos')
  })
})
