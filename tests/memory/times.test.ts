// What a text says of days from where it stands, in each language that is understood.
import { describe, expect, it } from 'vitest'
import type { Language } from '../../src/memory/embedded/language.ts'
import { dated, timesIn } from '../../src/memory/embedded/time/times.ts'

/** A Friday. */
const FRIDAY = '2026-11-06T10:00:00.000Z'

const resolved = (language: Language, text: string, toldAt = FRIDAY): string => dated(text, toldAt, language)

const isoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
const clock = (minute: number): string => new Date(minute * 60_000).toISOString().slice(11, 16)

/** `2026-11-10 17:00`, `2026-11-09/2026-11-15` */
const told = (language: Language, text: string, toldAt = FRIDAY): string[] =>
  timesIn(text, toldAt, language).map(({ first, last, minute }) =>
    [
      first === last ? isoDay(first) : `${isoDay(first)}/${isoDay(last)}`,
      ...(minute === undefined ? [] : [clock(minute)])
    ].join(' ')
  )

describe('times told from where they stand, on Friday 6 November 2026', () => {
  it.each<[Language, string, string]>([
    ['en', 'next Tuesday at 5 pm', '2026-11-10 17:00'],
    ['en', 'in two weeks', '2026-11-20'],
    ['en', 'due in one week', '2026-11-13'],
    ['en', 'this Saturday', '2026-11-07'],
    ['en', 'the day after tomorrow', '2026-11-08'],
    ['en', 'last Friday', '2026-10-30'],
    ['en', 'next Friday', '2026-11-13'],
    ['en', 'Friday of next week', '2026-11-13'],
    ['en', 'two weeks ago', '2026-10-19/2026-10-25'],
    ['en', 'two weekends ago', '2026-10-24/2026-10-25'],
    ['en', 'the week before last', '2026-10-19/2026-10-25'],
    ['en', 'a year ago', '2025-11-01/2025-11-30'],
    ['en', 'seven years now', '2019-01-01/2019-12-31'],
    ['en', 'last summer', '2026-06-01/2026-08-31'],
    ['en', 'next winter', '2026-12-01/2027-02-28'],
    ['en', 'the fall before last', '2024-09-01/2024-11-30'],
    ['en', 'last week', '2026-10-26/2026-11-01'],
    ['en', 'on 11 November at 10:30', '2026-11-11 10:30'],
    ['en', 'the third of March', '2027-03-03'],
    ['de', 'nächsten Dienstag um 16 Uhr', '2026-11-10 16:00'],
    ['de', 'gestern', '2026-11-05'],
    ['de', 'heute Morgen', '2026-11-06'],
    ['de', 'übermorgen', '2026-11-08'],
    ['de', 'vorgestern', '2026-11-04'],
    ['de', 'in zwei Wochen', '2026-11-20'],
    ['de', 'letzten Sommer', '2026-06-01/2026-08-31'],
    ['de', 'seit nun drei Monaten', '2026-08-01/2026-08-31'],
    ['de', 'am 14. Oktober', '2026-10-14'],
    ['es', 'el viernes de la semana que viene a las 11', '2026-11-13 11:00'],
    ['es', 'en dos semanas', '2026-11-20'],
    ['es', 'pasado mañana', '2026-11-08'],
    ['es', 'desde ayer', '2026-11-05'],
    ['es', 'el próximo martes a las 5 de la tarde', '2026-11-10 17:00'],
    ['fr', 'le lundi prochain', '2026-11-09'],
    ['fr', 'après-demain à 19 h 30', '2026-11-08 19:30'],
    ['fr', 'dans deux semaines', '2026-11-20'],
    ['fr', 'à partir de la semaine prochaine', '2026-11-09/2026-11-15'],
    ['fr', 'avant-hier', '2026-11-04'],
    ['fr', "l'été dernier", '2026-06-01/2026-08-31'],
    ['pt', 'depois de amanhã', '2026-11-08'],
    ['pt', 'na próxima terça às 15h', '2026-11-10 15:00'],
    ['pt', 'daqui a duas semanas', '2026-11-20'],
    ['pt', 'na semana passada', '2026-10-26/2026-11-01'],
    ['it', 'martedì prossimo alle 17', '2026-11-10 17:00'],
    ['it', 'dopodomani', '2026-11-08'],
    ['it', 'tre giorni fa', '2026-11-03'],
    ['nl', 'volgende week dinsdag om 10 uur', '2026-11-10 10:00'],
    ['nl', 'overmorgen', '2026-11-08'],
    ['nl', 'eergisteren', '2026-11-04'],
    ['ru', 'в следующий вторник в 17 часов', '2026-11-10 17:00'],
    ['ru', 'послезавтра', '2026-11-08'],
    ['ru', 'через две недели', '2026-11-20'],
    ['ar', 'غدا', '2026-11-07'],
    ['ar', 'أمس', '2026-11-05'],
    ['ar', 'بعد غد', '2026-11-08'],
    ['ar', 'الأسبوع القادم', '2026-11-09/2026-11-15'],
    ['ar', 'يوم الثلاثاء القادم الساعة 5 مساء', '2026-11-10 17:00'],
    ['ar', 'بعد أسبوعين', '2026-11-20'],
    ['ja', '明後日の12時', '2026-11-08 12:00'],
    ['ja', '来週の火曜日', '2026-11-10'],
    ['ja', '昨日', '2026-11-05'],
    ['ja', '再来週', '2026-11-16/2026-11-22'],
    ['ja', '10月9日(金)19時', '2026-10-09 19:00'],
    ['ja', '今晩7時', '2026-11-06 19:00'],
    ['ja', '2週間後', '2026-11-20'],
    ['zh', '明天下午3点', '2026-11-07 15:00'],
    ['zh', '下周二', '2026-11-10'],
    ['zh', '上周五', '2026-10-30'],
    ['zh', '两周后', '2026-11-20']
  ])('in %s, %j is %s', (language, text, expected) => {
    expect(told(language, text)).toEqual([expected])
  })

  it('are never today or tomorrow where the next of a weekday is meant', () => {
    const monday = '2026-11-09T10:00:00.000Z'
    expect(told('en', 'next Tuesday', monday)).toEqual(['2026-11-17'])
    expect(told('en', 'next Wednesday', monday)).toEqual(['2026-11-11'])
    expect(told('de', 'nächsten Montag', monday)).toEqual(['2026-11-16'])
    expect(told('en', 'this Tuesday', monday)).toEqual(['2026-11-10'])
  })

  it('are counted in UTC, also just before and after its midnight', () => {
    expect(told('en', 'tomorrow', '2026-11-06T23:59:59.000Z')).toEqual(['2026-11-07'])
    expect(told('en', 'tomorrow', '2026-11-07T00:00:00.000Z')).toEqual(['2026-11-08'])
  })

  it('have no clock where it could be before or after noon', () => {
    expect(told('en', 'next Tuesday at 5')).toEqual(['2026-11-10'])
    expect(told('es', 'mañana a las 5')).toEqual(['2026-11-07'])
    expect(told('es', 'mañana a las 5 de la tarde')).toEqual(['2026-11-07 17:00'])
  })

  it('take the year in which a day is nearest, those ahead sooner', () => {
    expect(told('en', '14 October')).toEqual(['2026-10-14'])
    expect(told('en', '3 May')).toEqual(['2027-05-03'])
    expect(told('en', '3 May 2025')).toEqual(['2025-05-03'])
  })
})

describe('what is no time', () => {
  it.each<[Language, string]>([
    ['en', 'May I book? June is her daughter, April too. He may 3 times march on Sun Street and sat down.'],
    ['en', 'Call +1 415 555 2671 or 555 0123. It costs $12.50, 3/4 of it, ratio 3:1, size 10/11.'],
    ['en', 'Version 8.4.1, 10.11.12 and 2026.1, room 12.11, plate B 1102 XY, order 20261106, IP 10.0.0.1'],
    ['en', 'Warranty 12 months, for two weeks, in 10 minutes, in 48 hours, 24/7, Mon-Fri 9:00-17:00, now'],
    ['de', 'Guten Morgen, jeden Morgen, am Morgen. Frau Sommer und Herr Freitag. Version 8.4.1, 12,50 Euro'],
    ['de', '12 Monate Garantie, seit zwei Wochen, von 9 bis 17 Uhr, M-AB 1234, Tel. 089 123456'],
    ['es', 'por la mañana, cada mañana, durante dos semanas, 12,50 euros, 3/4, Mar Ruiz, Julio y Abril'],
    ['fr', 'pendant deux semaines, de deux semaines, un mars, tous les lundis de 9h à 18h, 06 12 34 56 78'],
    ['pt', 'de manhã, segunda via, a próxima segunda via, por duas semanas, R$ 12,50, 912 345 678'],
    ['it', 'per due settimane, garanzia di 12 mesi, Domenica Rossi, 12,50 euro, versione 8.4.1'],
    ['nl', 'goede morgen, elke morgen, twee weken lang, Jan belde, € 12,50, 06-12345678'],
    ['ru', 'две недели, гарантия 12 месяцев, 8 912 345-67-89, версия 8.4.1, с 9 до 17 часов'],
    ['ar', 'ضمان 12 شهرا، هاتف 0501234567، نسخة 8.4.1'],
    ['ja', '毎週火曜日、三日月、一日中、今日子さん、保証期間12ヶ月、2週間、090-1234-5678'],
    ['zh', '每周二，保修12个月，两周，13812345678，版本8.4.1']
  ])('is left alone in %s: %j', (language, text) => {
    expect(timesIn(text, FRIDAY, language).map(({ words }) => words)).toEqual([])
  })
})

describe('a quoted text', () => {
  it('has what is relative resolved behind it, in its own language', () => {
    expect(resolved('en', 'See you next Tuesday at 5 pm, or tomorrow.')).toBe(
      'See you next Tuesday at 5 pm (Tue 10 Nov 2026, 17:00), or tomorrow (Sat 7 Nov 2026).'
    )
    expect(resolved('de', 'Er kommt nächsten Dienstag um 16 Uhr zur Probefahrt.')).toBe(
      'Er kommt nächsten Dienstag um 16 Uhr (Di., 10. Nov. 2026, 16:00) zur Probefahrt.'
    )
    expect(resolved('ja', '来週の火曜日に予約')).toBe('来週の火曜日 (2026年11月10日(火))に予約')
    expect(resolved('ar', 'موعد يوم الثلاثاء القادم')).toBe(
      'موعد يوم الثلاثاء القادم (الثلاثاء، 10 نوفمبر 2026)'
    )
    expect(resolved('en', 'We deliver next week.')).toBe('We deliver next week (9 – 15 Nov 2026).')
    expect(resolved('en', 'Open since last year, closed last winter.')).toBe(
      'Open since last year (2025), closed last winter (Dec 2025 – Feb 2026).'
    )
    expect(resolved('en', 'I have painted for three months now.')).toBe(
      'I have painted for three months now (since Aug 2026).'
    )
  })

  it('keeps whole dates as they stand', () => {
    const text = 'Signed on 14 October 2026, renewed 2026-11-01 and in March 2027.'
    expect(resolved('en', text)).toBe(text)
  })
})

describe('a hostile text', () => {
  it('costs little and gives few times', () => {
    const parts = [
      '1 ',
      '1',
      '10-',
      ' ',
      '5 h ',
      '12月',
      '一',
      'may 1 ',
      'in 1 day ',
      '2 weeks 3 days and ',
      'بعد '
    ]
    const languages: Language[] = ['en', 'de', 'fr', 'nl', 'ru', 'ar', 'ja', 'zh']
    for (const language of languages) {
      timesIn('tomorrow', FRIDAY, language)
      for (const part of parts) {
        const began = performance.now()
        const times = timesIn(part.repeat(40_000 / part.length), FRIDAY, language)
        expect(performance.now() - began).toBeLessThan(500)
        expect(times.length).toBeLessThanOrEqual(8)
      }
    }
  })
})
