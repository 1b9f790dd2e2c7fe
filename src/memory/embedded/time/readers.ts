// What chrono doesn't know of a language, as parsers beside its own: days told from where they stand, and clocks.
import type { Chrono, Parser } from 'chrono-node'
import * as ar from 'chrono-node/ar'
import * as de from 'chrono-node/de'
import * as en from 'chrono-node/en'
import * as es from 'chrono-node/es'
import * as fr from 'chrono-node/fr'
import * as it from 'chrono-node/it'
import * as ja from 'chrono-node/ja'
import * as nl from 'chrono-node/nl'
import * as pt from 'chrono-node/pt'
import * as ru from 'chrono-node/ru'
import * as zh from 'chrono-node/zh'
import { DAY_MS } from '../../../clock.ts'
import type { Language } from '../language.ts'
import { FORMS } from './forms.ts'

export type Span = readonly [first: number, last: number]

export interface PartialDate {
  year: number | undefined
  month: number | undefined
  day: number | undefined
}

/** What a result is, in the tags that chrono keeps with it. */
export const RELATIVE = 'mindgate/relative'
/** Weeks ago are hardly ever counted to the day. */
export const ABOUT = 'mindgate/about'

const locales: Readonly<Record<Language, { strict: Chrono }>> = { ar, de, en, es, fr, it, ja, nl, pt, ru, zh }

const readers = new Map<Language, Chrono>()

/** Strict: without the words that chrono takes for a time and that may be none, `now`, `sat`. */
export function readerOf(language: Language): Chrono {
  const known = readers.get(language)
  if (known) return known
  const reader = locales[language].strict.clone()
  const own = [...relativeParsers(language), ...monthParsers(language), ...clockParsers(language)]
  reader.parsers = [...own, ...reader.parsers.filter((parser) => !UNFIT.test(parser.constructor.name))]
  readers.set(language, reader)
  return reader
}

/**
 * What chrono counts from the day of telling: that is done here, and some of those patterns take exponential time.
 * Weekdays by themselves may be any week's.
 */
const UNFIT = /TimeUnit|SpecificTime|WeekdayParser|Deadline/

export const dayNumber = (year: number, month: number, day: number): number =>
  Math.floor(Date.UTC(year, month, day) / DAY_MS)

export const yearOf = (day: number): number => new Date(day * DAY_MS).getUTCFullYear()

const weekdayOf = (day: number): number => new Date(day * DAY_MS).getUTCDay()

/** From Monday to Sunday. */
const weekOf = (day: number, weeks: number): Span => {
  const monday = day - ((weekdayOf(day) + 6) % 7) + 7 * weeks
  return [monday, monday + 6]
}

const weekendOf = (day: number, weeks: number): Span => {
  const [, sunday] = weekOf(day, weeks)
  return [sunday - 1, sunday]
}

const monthOf = (day: number, months: number): Span =>
  spanOf(
    { year: undefined, month: new Date(day * DAY_MS).getUTCMonth() + months, day: undefined },
    yearOf(day)
  )

const yearAround = (day: number, years: number): Span =>
  spanOf({ year: yearOf(day) + years, month: undefined, day: undefined }, 0)

/** The first one ahead that has no word of its own, as today and tomorrow have. */
function nextWeekday(told: number, weekday: number): number {
  const days = (weekday - weekdayOf(told) + 7) % 7
  return told + (days < 2 ? days + 7 : days)
}

const comingWeekday = (told: number, weekday: number): number =>
  told + ((weekday - weekdayOf(told) + 7) % 7 || 7)

const lastWeekday = (told: number, weekday: number): number =>
  told - ((weekdayOf(told) - weekday + 7) % 7 || 7)

const LEAST_SHIFT = 2

/** What is said of each shift; of one that has no words, what nothing matches. */
const sourcesOf = (list: string): string[] =>
  list.split(' ~ ').map((source) => (source === '-' ? '(?!)' : source))

const oneDay = (day: number): Span => [day, day]

type SpanFrom = (told: number, words: string) => Span

function relativeParsers(language: Language): Parser[] {
  const forms = FORMS[language]
  const oneOf = (list: readonly string[]): string => `(?:${list.join('|')})`
  const parserFor = (source: string, spanFrom: SpanFrom, isAbout?: (words: string) => boolean): Parser =>
    parserOf(wordsIn(language, source), spanFrom, isAbout)
  /** Which of a list stands in the words that were found; the last, so that 十二 isn't taken for 二. */
  const placeIn = (list: readonly string[]) => {
    const patterns = list.map((source) =>
      isUnspaced(language) ? new RegExp(source, 'u') : wordsIn(language, source)
    )
    return (words: string): number => patterns.findLastIndex((pattern) => pattern.test(words))
  }
  const shifted = (list: string, spanFrom: (told: number, shift: number) => Span): Parser => {
    const whole = sourcesOf(list).map((source) => new RegExp(`^(?:${source})$`, 'iu'))
    const shiftIn = (words: string): number => whole.findIndex((one) => one.test(words)) - LEAST_SHIFT
    return parserFor(oneOf(sourcesOf(list)), (told, words) => spanFrom(told, shiftIn(words)))
  }
  const weekdays = forms.weekdays.split(' ')
  const W = oneOf(weekdays)
  const K = oneOf(sourcesOf(forms.weeks))
  const weekdayIn = placeIn(weekdays)
  const weekIn = placeIn(sourcesOf(forms.weeks))
  const weekday = (source: string, dayFrom: (told: number, weekday: number) => number): Parser =>
    parserFor(source.replaceAll('W', W), (told, words) => oneDay(dayFrom(told, weekdayIn(words))))
  const numbers = forms.numbers.split(' ')
  const N = `(?:[0-9]{1,3}|${oneOf(numbers)})`
  const units = forms.units.split(' ')
  const U = oneOf(units)
  const numberIn = placeIn(numbers)
  const unitIn = placeIn(units)
  const parserOfCount = (source: string, spanFrom: (told: number, count: number, unit: number) => Span) =>
    parserFor(
      source.replaceAll('N', N).replaceAll('U', U),
      (told, words) => {
        const digits = /[0-9]+/.exec(words)?.[0]
        const count = digits ? Number(digits) : numberIn(words) + 1 || (DUAL.test(words) ? 2 : 1)
        return spanFrom(told, count, unitIn(words))
      },
      (words) => source === forms.ago && unitIn(words) === WEEK
    )
  const counted = (told: number, count: number, unit: number): Span => {
    if (unit <= WEEK) return oneDay(told + count * (UNIT_DAYS[unit] ?? Number.NaN))
    return unit === MONTHS ? monthOf(told, count) : yearAround(told, count)
  }
  return [
    shifted(forms.days, (told, days) => oneDay(told + days)),
    shifted(forms.weeks, weekOf),
    ...(forms.weekends ? [shifted(forms.weekends, weekendOf)] : []),
    shifted(forms.months, monthOf),
    shifted(forms.years, yearAround),
    weekday(forms.next, nextWeekday),
    weekday(forms.coming, comingWeekday),
    weekday(forms.last, lastWeekday),
    parserFor(`${W}${forms.link}${K}|${K}${forms.link}${W}`, (told, words) =>
      oneDay(weekOf(told, weekIn(words) - LEAST_SHIFT)[0] + ((weekdayIn(words) + 6) % 7))
    ),
    parserOfCount(forms.ahead, counted),
    parserOfCount(forms.ago, (told, count, unit) => counted(told, -count, unit)),
    parserOfCount(forms.lately, (told, count, unit) => [told - count * (UNIT_DAYS[unit] ?? Number.NaN), told])
  ]
}

const [WEEK, MONTHS] = [1, 2]

/** Of a day, a week, a month and a year. */
const UNIT_DAYS = [1, 7, 30, 365]

/** Arabic has a form for two of a kind. */
const DUAL = /(?:ين|ان)$/

const isUnspaced = (language: Language): boolean => language === 'ja' || language === 'zh'

/** Whole words; where there are no spaces, none that begin with a part of a number. */
export function wordsIn(language: Language, source: string): RegExp {
  return isUnspaced(language)
    ? new RegExp(`(?<![0-9一二三四五六七八九十百千])(?:${source})`, 'u')
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu')
}

function parserOf(pattern: RegExp, spanFrom: SpanFrom, isAbout?: (words: string) => boolean): Parser {
  return {
    pattern: () => pattern,
    extract(context, match) {
      const [first, last] = spanFrom(dayNumberOf(context.refDate), match[0])
      if (!(last >= first)) return null
      const result = context.createParsingResult(
        match.index ?? 0,
        match[0],
        componentsOf(first),
        first === last ? undefined : componentsOf(last)
      )
      result.addTag(RELATIVE)
      return isAbout?.(match[0]) ? result.addTag(ABOUT) : result
    }
  }
}

const dayNumberOf = (date: Date): number => Math.floor(date.getTime() / DAY_MS)

function componentsOf(day: number) {
  const date = new Date(day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** A month or a year that stands for itself: `in October`, `October 2026`, `in 2026`, `10月に`. */
function monthParsers(language: Language): Parser[] {
  const names = monthNamesOf(language)
  const within = `(?<within>${FORMS[language].within.replaceAll('.', ' ')})`
  const month = `(?<month>${[...names.keys()].join('|')})`
  const year = '(?<year>(?:19|20)[0-9]{2})'
  const monthAlone = `(?<![0-9]\\.?(?: de)? )(?:${within} ?)?${month}(?:,? (?:de |del )?${year})?(?! [0-9]{1,2}(?![0-9]))`
  const patterns = isUnspaced(language)
    ? [
        `(?:${year}年)?(?<month>1[0-2]|[1-9])月(?:(?<within>[にのはも中份])|(?![0-9日]))`,
        `${year}年(?![0-9])`
      ]
    : [monthAlone, `${within} ${year}`]
  return patterns.map((source) => {
    const pattern = wordsIn(language, source)
    return {
      pattern: () => pattern,
      extract(context, match) {
        const { within, month, year } = match.groups ?? {}
        if (within === undefined && year === undefined) return null
        const y = year === undefined ? context.refDate.getUTCFullYear() : Number(year)
        const place = month === undefined ? undefined : (names.get(month.toLowerCase()) ?? Number(month) - 1)
        const [first, last] = spanOf({ year: y, month: place, day: undefined }, y)
        const [start, end] = [componentsOf(first), componentsOf(last)]
        return context.createParsingResult(match.index ?? 0, match[0], start, end).addTag(MONTH)
      }
    }
  })
}

/** The days of a date; one without a year is taken in the year given. */
export function spanOf({ year, month, day }: PartialDate, inYear: number): Span {
  const y = year ?? inYear
  if (month === undefined) return [dayNumber(y, 0, 1), dayNumber(y + 1, 0, 1) - 1]
  if (day === undefined) return [dayNumber(y, month, 1), dayNumber(y, month + 1, 1) - 1]
  return [dayNumber(y, month, day), dayNumber(y, month, day)]
}

export const MONTH = 'mindgate/month'

const monthNames = new Map<Language, Map<string, number>>()

/** Full and short, in lower case, from 0. */
export function monthNamesOf(language: Language): ReadonlyMap<string, number> {
  const known = monthNames.get(language)
  if (known) return known
  const names = new Map<string, number>()
  monthNames.set(language, names)
  for (let month = 0; month < 12; month += 1) {
    const date = Date.UTC(2026, month, 5)
    for (const style of ['long', 'short'] as const) {
      const alone = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' }).format(date)
      names.set(alone.replace(/\.$/, '').toLowerCase(), month)
      // Russian months bend: октябрь, октября, октябре.
      if (language === 'ru' && style === 'long') {
        const stem = alone.replace(/[ьй]$/, '')
        for (const end of stem === 'ма' ? ['я', 'е'] : ['а', 'я', 'е']) names.set(stem + end, month)
      }
    }
  }
  return names
}

/** `a las 5 de la tarde`, `19 h 30`: what chrono leaves out of clocks in the languages of Rome. */
function clockParsers(language: Language): Parser[] {
  const { clock } = FORMS[language]
  if (!clock) return []
  const half = `(?: (?:(?<am>${clock.am})|(?<pm>${clock.pm})))?`
  const pattern = wordsIn(
    language,
    `(?:${clock.at}) ?(?<hour>2[0-4]|[01]?[0-9])(?: ?[h:.] ?(?<minute>[0-5][0-9])| ?(?:${clock.unit}))${clock.isMarked ? '' : '?'}(?!,[0-9]| ?[€$%]| ?[Ee]uro)${half}`
  )
  return [
    {
      pattern: () => pattern,
      extract(_context, match) {
        const { hour, minute, am, pm } = match.groups ?? {}
        const told = Number(hour)
        const isLater = pm !== undefined && told < 12
        return {
          hour: isLater ? told + 12 : told,
          minute: Number(minute ?? 0),
          ...(am !== undefined || pm !== undefined ? { meridiem: told > 11 || isLater ? 1 : 0 } : {})
        }
      }
    }
  ]
}
