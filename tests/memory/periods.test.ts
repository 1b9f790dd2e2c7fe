// The days that a question asks for.
import { describe, expect, it } from 'vitest'
import { periodAsked } from '../../src/memory/embedded/time/period.ts'

/** A Monday. */
const NOW = '2026-11-23T18:00:00.000Z'

const isoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

function asked(question: string): string | undefined {
  const period = periodAsked(question, NOW)
  return period && `${isoDay(period.first)} ${isoDay(period.last)}`
}

describe('a question’s period', () => {
  it.each([
    ['What happened in October?', '2026-10-01 2026-10-31'],
    ['Which tickets were opened in October 2026?', '2026-10-01 2026-10-31'],
    ['What happened in July 2026 with the van?', '2026-07-01 2026-07-31'],
    ['What happened in December?', '2025-12-01 2025-12-31'],
    ['What will happen in December?', '2026-12-01 2026-12-31'],
    ['What happened in 2025?', '2025-01-01 2025-12-31'],
    ['What happened yesterday?', '2026-11-22 2026-11-22'],
    ['What came in last week?', '2026-11-16 2026-11-22'],
    ['Who called this week?', '2026-11-23 2026-11-29'],
    ['Who called last month?', '2026-10-01 2026-10-31'],
    ['What came in during the last three days?', '2026-11-20 2026-11-23'],
    ['Which jobs did we do between 1 and 10 October 2026?', '2026-10-01 2026-10-10'],
    ['What happened between 4 and 10 November?', '2026-11-04 2026-11-10'],
    ['What happened from 28 September to 5 October?', '2026-09-28 2026-10-05'],
    ['What happened from October 3 to 5, 2026?', '2026-10-03 2026-10-05'],
    ['Who came from 3 to 5 May?', '2026-05-03 2026-05-05'],
    ['What happened between 2026-10-01 and 2026-10-10?', '2026-10-01 2026-10-10'],
    ['What happened to the van on 11 November?', '2026-11-11 2026-11-11'],
    ['What happened on 5 May?', '2026-05-05 2026-05-05'],
    ['What is planned on 1 December?', '2026-12-01 2026-12-01'],
    ['Was war zwischen dem 1. und 10. Oktober 2026?', '2026-10-01 2026-10-10'],
    ['Was war letzte Woche?', '2026-11-16 2026-11-22'],
    ['Was ist in den letzten drei Tagen passiert?', '2026-11-20 2026-11-23'],
    ['Was geschah im Oktober?', '2026-10-01 2026-10-31'],
    ['¿Qué pasó entre el 1 y el 10 de octubre de 2026?', '2026-10-01 2026-10-10'],
    ['¿Qué pasó la semana pasada?', '2026-11-16 2026-11-22'],
    ['¿Quién llamó en los últimos tres días?', '2026-11-20 2026-11-23'],
    ['¿Qué pasó en octubre de 2026?', '2026-10-01 2026-10-31'],
    ['Que s’est-il passé entre le 1er et le 10 octobre 2026 ?', '2026-10-01 2026-10-10'],
    ['Que s’est-il passé la semaine dernière ?', '2026-11-16 2026-11-22'],
    ['Qui a appelé au cours des trois derniers jours ?', '2026-11-20 2026-11-23'],
    ['O que aconteceu na semana passada?', '2026-11-16 2026-11-22'],
    ['O que aconteceu entre 1 e 10 de outubro de 2026?', '2026-10-01 2026-10-10'],
    ['O que aconteceu nos últimos três dias?', '2026-11-20 2026-11-23'],
    ['Che cosa è successo la settimana scorsa?', '2026-11-16 2026-11-22'],
    ['Che cosa è successo tra il 1 e il 10 ottobre 2026?', '2026-10-01 2026-10-10'],
    ['Wat is er vorige week gebeurd?', '2026-11-16 2026-11-22'],
    ['Wat gebeurde er tussen 1 en 10 oktober 2026?', '2026-10-01 2026-10-10'],
    ['Что было на прошлой неделе?', '2026-11-16 2026-11-22'],
    ['Что было в октябре?', '2026-10-01 2026-10-31'],
    ['Что было с 1 по 10 октября 2026?', '2026-10-01 2026-10-10'],
    ['ماذا حدث الأسبوع الماضي؟', '2026-11-16 2026-11-22'],
    ['ماذا حدث بين 1 و10 أكتوبر؟', '2026-10-01 2026-10-10'],
    ['ماذا حدث في أكتوبر ٢٠٢٦؟', '2026-10-01 2026-10-31'],
    ['2026年10月1日から10日の間に何がありましたか?', '2026-10-01 2026-10-10'],
    ['先週何がありましたか?', '2026-11-16 2026-11-22'],
    ['10月に何がありましたか?', '2026-10-01 2026-10-31'],
    ['过去三天发生了什么？', '2026-11-20 2026-11-23'],
    ['2026年10月1日到10日发生了什么？', '2026-10-01 2026-10-10'],
    ['上周发生了什么？', '2026-11-16 2026-11-22']
  ])('is known from %j', (question, expected) => {
    expect(asked(question)).toBe(expected)
  })

  it.each([
    'What happened before October 2026?',
    'What changed since May?',
    'What is open until 3 December 2026?',
    'Was gilt seit Oktober?',
    '¿Qué pasó antes de octubre de 2026?',
    '10月以降はどうですか?',
    'Who may call?',
    'What is 24/7 support?',
    'What did she say last week about the visit on 11 November?',
    'How long is the warranty of 12 months?'
  ])('is none in %j', (question) => {
    expect(asked(question)).toBeUndefined()
  })

  it('names the words that tell it, which a search needn’t look for', () => {
    expect(periodAsked('What happened between 4 and 10 November?', NOW)?.words).toEqual([
      'between',
      '4',
      'and',
      '10',
      'november'
    ])
    expect(periodAsked('What came in last week?', NOW)?.words).toEqual(['last', 'week'])
  })
})
