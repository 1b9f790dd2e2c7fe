// Whatever the order in which memories arrive, and whatever is forgotten, an answer is that of the memories that are there.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embeddedEngine } from '../../../src/memory/embedded-engine.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { type Told, type ToldMind, tellMind } from '../told-mind.ts'
import { askMind, on } from './told.ts'

const RUNS = 20

const SAYINGS = [
  'Ragnhild Sætre: I live in Bodø.',
  'Ragnhild Sætre: I moved to Tromsø.',
  'Ragnhild Sætre now has the number 555 0131.',
  'Call note: Ragnhild Sætre. Phone: 555 0132. She wants the boat cover in green.',
  'Call note: Bram Okoro. Phone: 555 0177. Allergic to penicillin.',
  'Bram Okoro booked the sauna for Tuesday.',
  'Bram Okoro cancelled the sauna.',
  'Pellworth Marine pays 480 euros for the winter berth.',
  'Pellworth Marine will pay 520 euros for the winter berth instead.'
]

const QUESTIONS = [
  'Where does Ragnhild Sætre live?',
  'What is the phone number of Ragnhild Sætre?',
  'What is the phone number of Bram Okoro?',
  'Is Ragnhild Sætre allergic to anything?',
  'When did Bram Okoro book the sauna?',
  'How much does Pellworth Marine pay for the winter berth?',
  'What happened between 2 and 5 May 2026?'
]

/** Each on a day of its own. */
const stories = fc
  .uniqueArray(fc.nat(SAYINGS.length - 1), { minLength: 2, maxLength: SAYINGS.length })
  .chain((chosen) =>
    fc.record({
      days: fc.constant(chosen),
      telling: fc.shuffledSubarray([...chosen.keys()], { minLength: chosen.length }),
      forgotten: fc.nat(chosen.length - 1)
    })
  )

const toldOf = (days: readonly number[]): Told[] =>
  days.map((saying, day) => on(`2026-05-${String(day + 1).padStart(2, '0')}`, SAYINGS[saying] ?? ''))

describe('answers', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())

  /** What is answered to each, memories named by the day on which they happened. */
  async function answersOf(mind: ToldMind, days: readonly number[]) {
    const byDay: string[] = []
    for (const question of QUESTIONS) {
      const { answer } = await askMind(test.service, mind, question)
      byDay.push(`${question}\n${answer.replace(/#(\d+)/g, (_, place) => `day ${days[Number(place)]}`)}`)
    }
    return byDay
  }

  it('are the same in whatever order the same was told', () =>
    fc.assert(
      fc.asyncProperty(stories, async ({ days, telling }) => {
        const told = toldOf(days)
        const inOrder = await tellMind(test.service, told)
        const shuffled = await tellMind(
          test.service,
          telling.flatMap((day) => told[day] ?? [])
        )
        expect(await answersOf(shuffled, telling)).toEqual(await answersOf(inOrder, [...told.keys()]))
      }),
      { seed: 17, numRuns: RUNS }
    ))

  it('are those of a Mind that was never told what it forgot', () =>
    fc.assert(
      fc.asyncProperty(stories, async ({ days, forgotten }) => {
        const told = toldOf(days)
        const mind = await tellMind(test.service, told)
        await test.service.database.transaction((tx) =>
          embeddedEngine.forget(tx, mind.mindKey, forgotten + 1)
        )
        const left = [...told.keys()].filter((day) => day !== forgotten)
        const fresh = await tellMind(
          test.service,
          left.flatMap((day) => told[day] ?? [])
        )
        expect(await answersOf(mind, [...told.keys()])).toEqual(await answersOf(fresh, left))
      }),
      { seed: 17, numRuns: RUNS }
    ))
})
