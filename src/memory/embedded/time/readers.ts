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

const SHIFTED_WEEKDAYS = [lastWeekday, comingWeekday, nextWeekday]
const SHIFTED_PERIODS = [weekOf, weekendOf, monthOf, yearAround]
const LEAST_SHIFT = -2

const NOTHING = '(?!)'

/** What is said of each of a list; of one that has no words, what nothing matches. */
const sourcesOf = (list: string): string[] =>
  list.split(' ~ ').map((source) => (source === '-' ? NOTHING : source))

/** Any of a list, and which of it stands in words; the last, so that 十二 isn't taken for 二. */
function anyOf(language: Language, sources: readonly string[]) {
  const patterns = sources.map((source) =>
    isUnspaced(language) ? new RegExp(source, 'u') : wordsIn(language, source)
  )
  const placeIn = (words: string): number => patterns.findLastIndex((pattern) => pattern.test(words))
  return { source: `(?:${sources.join('|')})`, placeIn }
}

/** Each capital letter of a pattern by what it stands for. */
const filled = (source: string, parts: Readonly<Record<string, string>>): string =>
  source.replace(/[A-Z]/g, (letter) => parts[letter] ?? letter)

/** Between a weekday and its week: `Friday of next week`. */
const LINK = ',? (?:(?:of|on|am|der|del?|la|el|della|d?a|op|van|во?|на|من) ){0,2}'

const oneDay = (day: number): Span => [day, day]

type SpanFrom = (told: number, words: string) => Span | undefined

function relativeParsers(language: Language): Parser[] {
  const forms = FORMS[language]
  const listed = (list: string) => anyOf(language, list.split(' '))
  const [weekdays, periods] = [listed(forms.weekdays), listed(forms.periods)]
  const [units, numbers] = [listed(forms.units), listed(forms.numbers)]
  const W = weekdays.source
  const shiftsWith = (weekday: string): string[] => {
    const parts = { P: periods.source, W: weekday, X: `(?:${periods.source}|${weekday})` }
    return sourcesOf(forms.shifts).map((source) => filled(source, parts))
  }
  const ofPeriods = anyOf(language, shiftsWith(NOTHING))
  const S = ofPeriods.source
  const link = isUnspaced(language) ? '[の的]?' : LINK
  const [ago = NOTHING, ahead = NOTHING, lately = NOTHING] = sourcesOf(forms.counts)
  const parserFor = (source: string, spanFrom: SpanFrom, isAbout?: (words: string) => boolean): Parser =>
    parserOf(wordsIn(language, source), spanFrom, isAbout)
  const shifted = (
    sources: readonly string[],
    spanFrom: (told: number, shift: number, words: string) => Span | undefined
  ): Parser => {
    const whole = sources.map((source) => new RegExp(`^(?:${source})$`, 'iu'))
    const shiftIn = (words: string): number => whole.findIndex((one) => one.test(words)) + LEAST_SHIFT
    return parserFor(sources.join('|'), (told, words) => spanFrom(told, shiftIn(words), words))
  }
  const counted = (source: string, spanFrom: (told: number, count: number, unit: number) => Span): Parser =>
    parserFor(
      filled(source, { N: `(?:[0-9]{1,3}|${numbers.source})`, U: units.source }),
      (told, words) => {
        const digits = /[0-9]+/.exec(words)?.[0]
        const count = digits ? Number(digits) : numbers.placeIn(words) + 1 || (DUAL.test(words) ? 2 : 1)
        return spanFrom(told, count, units.placeIn(words))
      },
      (words) => source === ago && units.placeIn(words) === WEEK
    )
  const after = (told: number, count: number, unit: number): Span => {
    if (unit <= WEEK) return oneDay(told + count * (UNIT_DAYS[unit] ?? Number.NaN))
    return unit === MONTHS ? monthOf(told, count) : yearAround(told, count)
  }
  return [
    shifted(sourcesOf(forms.days), (told, shift) => oneDay(told + shift)),
    shifted(shiftsWith(W), (told, shift, words) => {
      const weekday = weekdays.placeIn(words)
      if (weekday < 0) return SHIFTED_PERIODS[periods.placeIn(words)]?.(told, shift)
      return oneDay(SHIFTED_WEEKDAYS[shift + 1]?.(told, weekday) ?? Number.NaN)
    }),
    parserFor(`${W}${link}${S}|${S}${link}${W}`, (told, words) => {
      if (periods.placeIn(words) !== 0) return undefined
      const [monday] = weekOf(told, ofPeriods.placeIn(words) + LEAST_SHIFT)
      return oneDay(monday + ((weekdays.placeIn(words) + 6) % 7))
    }),
    counted(ahead, after),
    counted(ago, (told, count, unit) => after(told, -count, unit)),
    counted(lately, (told, count, unit) => [told - count * (UNIT_DAYS[unit] ?? Number.NaN), told])
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
    extract(context, { index = 0, 0: words }) {
      const [first, last] = spanFrom(Math.floor(context.refDate.getTime() / DAY_MS), words) ?? NO_SPAN
      if (!(last >= first)) return null
      const end = first === last ? undefined : componentsOf(last)
      const result = context.createParsingResult(index, words, componentsOf(first), end).addTag(RELATIVE)
      return isAbout?.(words) ? result.addTag(ABOUT) : result
    }
  }
}

const NO_SPAN: Span = [Number.NaN, Number.NaN]

function componentsOf(day: number) {
  const date = new Date(day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** A month or a year that stands for itself: `in October`, `October 2026`, `in 2026`, `10月に`. */
function monthParsers(language: Language): Parser[] {
  const names = monthNamesOf(language, ['long', 'short'])
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

/** In lower case, from 0. */
export function monthNamesOf(language: Language, styles: readonly ('long' | 'short')[]): Map<string, number> {
  const names = new Map<string, number>()
  for (const style of styles) {
    const { format } = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' })
    for (let month = 0; month < 12; month += 1) {
      const alone = format(Date.UTC(2026, month, 5))
        .replace(/\.$/, '')
        .toLowerCase()
      names.set(alone, month)
      if (language !== 'ru' || style === 'short') continue
      // They bend: октябрь, октября, октябре.
      const stem = alone.replace(/[ьй]$/, '')
      for (const end of stem === 'ма' ? ['я', 'е'] : ['а', 'я', 'е']) names.set(stem + end, month)
    }
  }
  return names
}

/** `a las 5 de la tarde`, `19 h 30`: what chrono leaves out of clocks in the languages of Rome. */
function clockParsers(language: Language): Parser[] {
  const { clock } = FORMS[language]
  if (!clock) return []
  const [at, unit, am, pm] = clock.split(' ~ ')
  const pattern = wordsIn(
    language,
    `(?:${at}) ?(?<hour>2[0-4]|[01]?[0-9])(?: ?[h:.] ?(?<minute>[0-5][0-9])| ?(?:${unit}))(?!,[0-9]| ?[€$%]| ?[Ee]uro)(?: (?:(?<am>${am})|(?<pm>${pm})))?`
  )
  return [
    {
      pattern: () => pattern,
      extract(_context, match) {
        const { hour, minute, am, pm } = match.groups ?? {}
        const told = Number(hour)
        const isLater = told > 11 || pm !== undefined
        return {
          hour: isLater && told < 12 ? told + 12 : told,
          minute: Number(minute ?? 0),
          ...(am !== undefined || pm !== undefined ? { meridiem: isLater ? 1 : 0 } : {})
        }
      }
    }
  ]
}
