// What lifts a memory above others, one reason at a time: two memories that differ in nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchMind } from '../../src/memory/embedded/search.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type Told, tellMind } from './told-mind.ts'

describe('a search finds first', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())

  const ranked = async (told: readonly (string | Told)[], question: string): Promise<string[]> => {
    const { mindKey } = await tellMind(test.service, told)
    const { hits } = await searchMind(test.service.database.read, mindKey, question, { limit: 10 })
    return hits.map(({ content }) => content)
  }
  const rankedSeqs = async (told: readonly Told[], question: string): Promise<number[]> => {
    const { mindKey } = await tellMind(test.service, told)
    const { hits } = await searchMind(test.service.database.read, mindKey, question, { limit: 50 })
    return hits.map(({ seq }) => seq)
  }
  const first = async (told: readonly (string | Told)[], question: string) =>
    (await ranked(told, question))[0]

  /** Each on a day of its own, so that none speaks for another. */
  const apart = (...contents: string[]): Told[] =>
    contents.map((content, day) => ({ content, occurredAt: `2031-0${day + 1}-10T10:00:00.000Z` }))

  const at = (occurredAt: string, content: string): Told => ({ content, occurredAt: `${occurredAt}:00.000Z` })

  it('the memory with more of the question’s words, and the rarer ones', async () => {
    const told = apart(
      'Ana: We had soup in the garden.',
      'Ana: We had soup at the lighthouse.',
      'Ana: We had soup in the kitchen.'
    )
    expect(await first(told, 'What soup was there at the lighthouse?')).toContain('lighthouse')
  })

  it('the answer to a question that was asked in the same words, above what only repeats them', async () => {
    const told = [
      at('2031-01-10T10:00', 'Ben: Which instrument did you pick up in the end?'),
      at('2031-01-10T10:01', 'Ana: The oboe, of all things!'),
      at('2031-02-10T10:00', 'Ben: They sell any instrument in that shop.'),
      at('2031-02-10T10:01', 'Ana: The oboe, of all things!')
    ]
    const ranking = await rankedSeqs(told, 'Which instrument did she pick up in the end?')
    expect(ranking.indexOf(2)).toBeLessThan(ranking.indexOf(4))
  })

  it('an answer more readily after a question than after a statement', async () => {
    const told = [
      at('2031-01-10T10:00', 'Ben: You named the sailing boat.'),
      at('2031-01-10T10:01', 'Ana: Yes, Petronella.'),
      at('2031-02-10T10:00', 'Ben: You named the sailing boat?'),
      at('2031-02-10T10:01', 'Ana: Yes, Petronella.')
    ]
    const ranking = await rankedSeqs(told, 'What is the sailing boat named?')
    expect(ranking.indexOf(4)).toBeLessThan(ranking.indexOf(2))
  })

  it('nothing across a silence of more than half an hour', async () => {
    const told = (gap: string) => [
      at('2031-01-10T10:00', 'Ben: What did you call the parrot?'),
      at(`2031-01-10T${gap}`, 'Ana: Archimedes.')
    ]
    expect(await ranked(told('10:29'), 'What is the parrot called?')).toHaveLength(2)
    expect(await ranked(told('10:31'), 'What is the parrot called?')).toHaveLength(1)
  })

  it('the author whom the question names', async () => {
    const told = apart('Ana: I adopted a ferret.', 'Ben: I adopted a ferret.')
    expect(await first(told, 'What did Ana adopt?')).toMatch(/^Ana/)
    expect(await first(told, 'What did Ben adopt?')).toMatch(/^Ben/)
    expect(await first(told, 'what did ben adopt?')).toMatch(/^Ben/)
  })

  it('the author by the beginning of a name, and by any part of it', async () => {
    const told = apart('Bartholomew Quist: I adopted a ferret.', 'Wilhelmina Roth: I adopted a ferret.')
    expect(await first(told, 'What did Wilhel adopt?')).toMatch(/^Wilhelmina/)
    expect(await first(told, 'What did Mrs. Roth adopt?')).toMatch(/^Wilhelmina/)
    expect(await first(told, 'What did Bartho adopt?')).toMatch(/^Bartholomew/)
  })

  it('what happened at the question’s date', async () => {
    const told = [
      at('2031-03-08T10:00', 'Ana: The choir sang in the square.'),
      at('2031-05-08T10:00', 'Ana: The choir sang in the square.'),
      at('2032-03-08T10:00', 'Ana: The choir sang in the square.')
    ]
    expect((await rankedSeqs(told, 'Where did the choir sing in May?'))[0]).toBe(2)
    expect((await rankedSeqs(told, 'Where did the choir sing on 8 March 2031?'))[0]).toBe(1)
    expect((await rankedSeqs(told, 'Where did the choir sing in 2032?'))[0]).toBe(3)
  })

  it('what speaks of the question’s date from another one', async () => {
    const told = [
      at('2031-07-20T10:00', 'Ana: I had my exam two weeks before the holidays.'),
      at('2031-08-20T10:00', 'Ana: I had my exam last month, at last.'),
      at('2031-12-20T10:00', 'Ana: I had my exam quite a while before that.')
    ]
    expect(await first(told, 'Which exam did Ana have in July 2031?')).toContain('two weeks')
    expect((await ranked(told, 'Which exam did Ana have in July 2031?'))[1]).toContain('last month')
  })

  it('something at the date even if no word of the question stands there', async () => {
    const told = [
      at('2031-07-20T10:00', 'Ana: Paragliding, and we survived.'),
      at('2031-08-20T10:00', 'Ana: Chess all day.')
    ]
    expect(await ranked(told, 'What happened on 20 July 2031?')).toEqual([told[0]?.content])
  })

  it('a time for a question that asks for one', async () => {
    const pairs: [question: string, answer: string, other: string][] = [
      ['When does the ferry leave?', 'The ferry leaves in the morning.', 'The ferry leaves in the fog.'],
      ['When did the ferry leave?', 'The ferry left yesterday.', 'The ferry left in the evening.']
    ]
    for (const [question, answer, other] of pairs) {
      expect(await first(apart(other, answer), question)).toBe(answer)
      expect(await first(apart(answer, other), question)).toBe(answer)
    }
  })

  it('of two that say the same, what is stated, and with a name', async () => {
    const pairs: [answer: string, other: string][] = [
      ['Ana: You fixed the mill.', 'Ana: You fixed the mill?'],
      ['Ana: She fixed the Mill.', 'Ana: She fixed the mill.']
    ]
    for (const [answer, other] of pairs) {
      expect(await first(apart(other, answer), 'Who fixed the mill?')).toBe(answer)
      expect(await first(apart(answer, other), 'Who fixed the mill?')).toBe(answer)
    }
  })

  it('what opens a talk before what is said later in one', async () => {
    const told = [
      at('2031-01-10T10:00', 'Ana: Well.'),
      at('2031-01-10T10:01', 'Ana: The mill burned down.'),
      at('2031-02-10T10:00', 'Ana: The mill burned down.'),
      at('2031-02-10T10:01', 'Ana: Well.')
    ]
    expect((await rankedSeqs(told, 'What burned down?'))[0]).toBe(3)
  })

  it('what the rest of the question stands near to, before or after it or at least in the same talk', async () => {
    const talk = (day: number, orchardAt: number) =>
      Array.from({ length: 9 }, (_, turn) => {
        const text = turn === 1 ? 'The mill.' : turn === orchardAt ? 'The orchard.' : 'Well.'
        return at(`2031-0${day}-10T10:0${turn}`, `Ana: ${text}`)
      })
    /** Where the orchards stand, those of the better mill first. */
    const orchards = async (...places: number[]) => {
      const told = places.flatMap((place, index) => talk(index + 1, place))
      const ranking = await rankedSeqs(told, 'Is the mill in the orchard?')
      return ranking.filter((seq) => seq % 9 === 2).map((seq) => places[Math.floor(seq / 9)])
    }
    const nowhere = 9
    expect(await orchards(nowhere, 8)).toEqual([8, nowhere])
    expect(await orchards(8, 5)).toEqual([5, 8])
    expect(await orchards(5, 0)).toEqual([0, 5])
  })

  it('words of the same meaning and things of the kind that is asked for', async () => {
    const told = apart('Ana: I went kayaking.', 'Ana: I went home.', 'Ana: I purchased a lamp.')
    expect(await first(told, 'What hobbies does Ana have?')).toContain('kayaking')
    expect(await first(told, 'What did Ana buy?')).toContain('purchased')
  })

  it('other words of the same family', async () => {
    const told = apart('Ana: The musicians were late.', 'Ana: The plumbers were late.')
    expect(await ranked(told, 'Was there any music?')).toEqual([told[0]?.content])
  })

  it('the question’s own word before one that is only related', async () => {
    const told = apart('Ana: I purchased a lamp.', 'Ana: I will buy a lamp.')
    expect(await first(told, 'What lamp did Ana buy?')).toContain('will buy')
  })

  it('the words that a question is about before those that frame it', async () => {
    const told = apart('Ana: I can describe it.', 'Ana: The orchard.', 'Ana: Nothing to it.')
    expect(await first(told, 'How did Ana describe the orchard?')).toContain('orchard')
  })

  it('of equal memories the newer, by when it happened and not by when it was told', async () => {
    const [one, two, three] = apart('The bell rang.', 'The bell rang.', 'The bell rang.')
    const { mindKey } = await tellMind(
      test.service,
      [one, three, two].flatMap((told) => told ?? [])
    )
    const { hits } = await searchMind(test.service.database.read, mindKey, 'Which bell rang?', { limit: 3 })
    expect(hits.map(({ seq }) => seq)).toEqual([2, 3, 1])
    expect(new Set(hits.map(({ score }) => score)).size).toBe(1)
  })

  it('a speaker’s own words where a question holds nothing but the name', async () => {
    const told = apart('Ben: Ana has moved to Oslo.', 'Ben: It rained.')
    expect(await ranked(told, 'Who is Ana?')).toEqual([told[0]?.content])
  })

  it('nothing in a Mind that holds nothing on it, or nothing at all', async () => {
    expect(await ranked(apart('Ana: I went home.'), 'Which telescope is best?')).toEqual([])
    expect(await ranked([], 'Which telescope is best?')).toEqual([])
  })

  it('what was told since the Mind was counted as well', async () => {
    const told = Array.from({ length: 9 }, (_, day) => at(`2031-01-1${day}T10:00`, 'Ana: The bell rang.'))
    const { mindKey } = await tellMind(test.service, told)
    const statistics = { memoryCount: 1, termCount: 3, authors: [] }
    const { hits } = await searchMind(test.service.database.read, mindKey, 'Which bell rang?', {
      ...{ limit: 50, statistics }
    })
    expect(hits.map(({ shares }) => shares.filter((share) => share > 0).length)).toEqual(Array(9).fill(2))
  })

  it('stops between two queries when it is told to', async () => {
    const { mindKey } = await tellMind(test.service, ['Ana: I went home.'])
    const signal = AbortSignal.abort(new Error('enough'))
    const search = searchMind(test.service.database.read, mindKey, 'Who went home?', { limit: 1, signal })
    await expect(search).rejects.toThrow('enough')
  })
})
