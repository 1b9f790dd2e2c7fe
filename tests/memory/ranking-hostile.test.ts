// Texts that are made to be slow to keep or to find: bounded, whatever they hold.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAsked } from '../../src/memory/embedded/asking/asked.ts'
import { searchMind } from '../../src/memory/embedded/search.ts'
import { processorTime } from '../support/processor-time.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { tellMind } from './told-mind.ts'

const LONGEST_CONTENT = 32_768
const LONGEST_QUESTION = 4_096
/** Far more than it takes, and far less than what grows with the square of a text's length. */
const BOUND_MS = 3_000

const words = (count: number, length: number, seed = ''): string =>
  Array.from({ length: count }, (_, index) => `${seed}${index.toString(36)}`.padEnd(length, 'quartz')).join(
    ' '
  )

const fill = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)

const contents: readonly (readonly [name: string, content: string])[] = [
  ['thousands of different words', words(6_000, 4).slice(0, LONGEST_CONTENT)],
  ['one word over and over', fill('kayak ', LONGEST_CONTENT)],
  ['no blanks at all', fill('kayak', LONGEST_CONTENT)],
  ['no blanks in Chinese', fill('他们在海边划皮艇然后回家', LONGEST_CONTENT)],
  ['dates only', fill('on 3 May 2031, two weeks ago, ', LONGEST_CONTENT)],
  ['digits and marks', fill('1.2.3.4,5/6-7:8 ', LONGEST_CONTENT)],
  ['a name that never ends', fill('A'.repeat(30), LONGEST_CONTENT)],
  ['question marks', '?'.repeat(LONGEST_CONTENT)],
  ['emoji and lone surrogates', fill('🛶\ud800 kayak \udfff', LONGEST_CONTENT)]
]

const questions: readonly (readonly [name: string, question: string])[] = [
  ['different words', words(900, 3).slice(0, LONGEST_QUESTION)],
  ['words that all stand there', fill('kayak quartz shore paddle ', LONGEST_QUESTION)],
  ['one word without end', fill('kayak', LONGEST_QUESTION)],
  ['years and months', fill('in May 2031 or June 2032 ', LONGEST_QUESTION)],
  ['names of everybody', fill('Ana Ben Cleo ', LONGEST_QUESTION)],
  ['Chinese', fill('他们在海边划皮艇然后回家', LONGEST_QUESTION)],
  ['marks of SQL and JSON', fill(`"'\\%_\u0000[]{}$1 kayak `, LONGEST_QUESTION)],
  ['lone surrogates', fill('\ud800kayak\udfff', LONGEST_QUESTION)]
]

describe('hostile texts', () => {
  let test: TestService
  let mindKey: number
  beforeAll(async () => {
    test = await openTestService('sqlite')
    const chatter = Array.from(
      { length: 400 },
      (_, index) => `Ana: The kayak ${index} lay ashore, quartz in May.`
    )
    const storable = contents.map(([, content]) => content.toWellFormed())
    mindKey = (await tellMind(test.service, [...chatter, ...storable])).mindKey
  })
  afterAll(() => test.close())

  it.each(contents)('keeps %s within bounds', async (_, content) => {
    const worked = processorTime()
    const { mindKey: own } = await tellMind(test.service, [content.toWellFormed()])
    expect(worked()).toBeLessThan(BOUND_MS)
    const { count } = await test.service.database.read
      .selectFrom('posting')
      .where('mindKey', '=', own)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBeLessThanOrEqual(2_048)
  })

  it.each(questions)('answers %s within bounds', async (_, question) => {
    const worked = processorTime()
    const { hits } = await searchMind(test.service.database.read, mindKey, question, { limit: 50 })
    expect(worked()).toBeLessThan(BOUND_MS)
    expect(hits.length).toBeLessThanOrEqual(50)
  })

  it('tells whom a question of nothing but names is about within bounds', () => {
    const letters = (index: number) =>
      [...index.toString(36)].map(
        (digit) => 'abcdefghijklmnopqrstuvwxyzαβγδεζηθικ'[Number.parseInt(digit, 36)]
      )
    const name = (index: number) => `Q${letters(index).join('')}x`
    const known = Array.from({ length: 5_000 }, (_, index) => [
      name(index).toLowerCase(),
      name(index + 7).toLowerCase()
    ])
    const question = Array.from({ length: 900 }, (_, index) => name(index))
      .join('. ')
      .slice(0, LONGEST_QUESTION)
    const worked = processorTime()
    const { names } = readAsked(question, known, 'de', '2026-05-03T10:00:00.000Z')
    expect(worked()).toBeLessThan(BOUND_MS)
    expect(names.length).toBeLessThanOrEqual(20)
  })

  it('asks the database as often for the longest question as for a short one', async () => {
    const asked = async (question: string): Promise<number> => {
      let queries = 0
      const { read } = test.service.database
      const counting: typeof read = {
        selectFrom: read.selectFrom.bind(read),
        getExecutor: () => {
          queries += 1
          return read.getExecutor()
        }
      }
      await searchMind(counting, mindKey, question, { limit: 50 })
      return queries
    }
    expect(await asked(words(900, 3).slice(0, LONGEST_QUESTION))).toBeLessThanOrEqual(
      await asked('Whose kayak?')
    )
  })
})
