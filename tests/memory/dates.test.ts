// The days that questions and memories speak of, and what is kept of them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  datesIn,
  type PartialDate,
  packSpans,
  spanOf,
  spansIn,
  unpackSpans
} from '../../src/memory/embedded/dates.ts'
import { MARKS, MAX_TURNS, packMark, unpackMark } from '../../src/memory/embedded/postings.ts'

const DAY_MS = 86_400_000
const day = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10)
const asText = ({ year, month, day: of }: PartialDate): string =>
  [year ?? '*', month === undefined ? '*' : month + 1, of ?? '*'].join('-')

describe('dates in a question', () => {
  it.each([
    ['What happened on 8 May 2031?', ['2031-5-8']],
    ['What happened on May 8th, 2031?', ['2031-5-8']],
    ['What happened in May?', ['*-5-*']],
    ['What happened in 2031?', ['2031-*-*']],
    ['What happened on 2031-05-08?', ['2031-5-8']],
    ['What happened on 8.5.2031?', ['2031-5-8']],
    ['What happened on 5/23/2031?', ['2031-5-23']],
    ['From 3 March to 5 April 2031?', ['*-3-3', '2031-4-5']],
    ['¿Qué pasó el 8 de mayo de 2031?', ['2031-5-8']],
    ['Que s’est-il passé le 8 août 2031 ?', ['2031-8-8']],
    ['Was geschah am 8. März 2031?', ['2031-3-8']],
    ['Что случилось 8 мая 2031 года?', ['2031-5-8']],
    ['2031年5月8日に何がありましたか', ['2031-5-8']],
    ['ماذا حدث في 8 مايو 2031؟', ['2031-5-8']]
  ])('are found in %j', (question, expected) => {
    expect(datesIn(question).dates.map(asText)).toEqual(expected)
  })

  it.each(['May I ask something?', 'The army will march on.', 'Who is April?', 'Call 20311 or 99.'])(
    'are not found in %j',
    (question) => {
      expect(datesIn(question).dates).toEqual([])
    }
  )

  it('are left out as words', () => {
    expect([...datesIn('Who called on 8 May 2031?').words].sort()).toEqual(['2031', '8', 'may'])
  })

  it('span a day, a month or a year', () => {
    const spans = datesIn('8 May 2031, June 2031, 2032')
      .dates.map((date) => spanOf(date, 2030))
      .map((span) => span.map(day))
    expect(spans).toEqual([
      ['2031-05-08', '2031-05-08'],
      ['2031-06-01', '2031-06-30'],
      ['2032-01-01', '2032-12-31']
    ])
  })
})

describe('days that a memory speaks of', () => {
  it.each([
    ['I saw her yesterday.', '2031-05-06', '2031-05-06'],
    ['We meet tomorrow.', '2031-05-08', '2031-05-08'],
    ['It was three days ago.', '2031-05-04', '2031-05-04'],
    ['It was a couple of weeks ago.', '2031-04-21', '2031-04-27'],
    ['We moved last month.', '2031-04-01', '2031-04-30'],
    ['We moved two months ago.', '2031-03-01', '2031-03-31'],
    ['We moved last year.', '2030-01-01', '2030-12-31'],
    ['I fell last Friday.', '2031-05-02', '2031-05-02'],
    ['I fell last Wednesday.', '2031-04-30', '2031-04-30'],
    ['We sail next Friday.', '2031-05-09', '2031-05-09'],
    ['Das war gestern.', '2031-05-06', '2031-05-06'],
    ['昨日会いました', '2031-05-06', '2031-05-06'],
    ['The party is on 1 June.', '2031-06-01', '2031-06-01']
  ])('are known from %j, said on a Wednesday', (text, first, last) => {
    expect(spansIn(text, '2031-05-07T12:00:00.000Z').map((span) => span.map(day))).toEqual([[first, last]])
  })

  it('are none where it names no time', () => {
    expect(spansIn('I may march along.', '2031-05-07T12:00:00.000Z')).toEqual([])
    expect(packSpans([])).toBeNull()
  })

  it('come back from the column as they went in, also those before 1970', () => {
    const day = fc.integer({ min: -40_000, max: 90_000 })
    fc.assert(
      fc.property(fc.array(fc.tuple(day, day)), (spans) => {
        expect(unpackSpans(packSpans(spans))).toEqual(spans)
      }),
      { seed: 1 }
    )
  })
})

describe('a posting’s mark', () => {
  it('comes back as it was packed, long and frequent cut off', () => {
    const mark = fc.record({
      turn: fc.nat({ max: MAX_TURNS - 1 }),
      length: fc.nat({ max: 5_000 }),
      count: fc.nat({ max: 5_000 }),
      asks: fc.boolean()
    })
    fc.assert(
      fc.property(mark, (given) => {
        const packed = packMark(given)
        expect(packed).toBeLessThan(MARKS)
        const { length, count } = given
        expect(unpackMark(packed)).toEqual({
          ...given,
          length: Math.min(length, 255),
          count: Math.min(count, 15)
        })
      }),
      { seed: 1 }
    )
  })
})
