// Reads days in each language: dates by chrono, and beside its parsers our own for what `forms.ts` tells of days from
// where they stand, for months that stand for themselves and for clocks.
import { ar, type Chrono, de, en, es, fr, it, ja, nl, type Parser, pt, ru, zh } from 'chrono-node'
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
export const MONTH = 'mindgate/month'
/** Goes on since then. */
export const SINCE = 'mindgate/since'

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
const monthOf = (day: number): number => new Date(day * DAY_MS).getUTCMonth()
const weekdayOf = (day: number): number => new Date(day * DAY_MS).getUTCDay()

/** The days of so many months from that one, which may lie beyond its year. */
const months = (year: number, month: number, count = 1): Span => [
  dayNumber(year, month, 1),
  dayNumber(year, month + count, 1) - 1
]

/** The days of a date; one without a year is taken in the year given. */
export function spanOf({ year, month, day }: PartialDate, inYear: number): Span {
  const y = year ?? inYear
  if (month === undefined) return months(y, 0, 12)
  return day === undefined ? months(y, month) : [dayNumber(y, month, day), dayNumber(y, month, day)]
}

type SpanAt = (told: number, shift: number) => Span

/** From Monday to Sunday. */
const weekAt: SpanAt = (told, shift) => {
  const monday = told - ((weekdayOf(told) + 6) % 7) + 7 * shift
  return [monday, monday + 6]
}

/** North of the equator. The last one is over, the next has yet to begin, and this one isn't long gone. */
const seasonAt =
  (month: number): SpanAt =>
  (told, shift) => {
    const around = [-3, -2, -1, 0, 1, 2, 3].map((years) => months(yearOf(told) + years, month, 3))
    const over = around.filter(([, last]) => last < told)
    const ahead = around.filter(([first]) => first > told)
    const current = around.find(([, last]) => last > told - RECENT_DAYS)
    return (shift < 0 ? over.at(shift) : shift > 0 ? ahead[shift - 1] : current) ?? NO_SPAN
  }

const RECENT_DAYS = 120
const NO_SPAN: Span = [Number.NaN, Number.NaN]

/** Of a day and of the periods in their order. */
const SPANS_AT: readonly SpanAt[] = [
  (told, shift) => [told + shift, told + shift],
  weekAt,
  (told, shift) => months(yearOf(told), monthOf(told) + shift),
  (told, shift) => months(yearOf(told) + shift, 0, 12),
  (told, shift) => [weekAt(told, shift)[1] - 1, weekAt(told, shift)[1]],
  ...[2, 5, 8, 11].map(seasonAt)
]
/** Places of these. */
const [DAYS, WEEKS, MONTHS, YEARS] = [0, 1, 2, 3]

const spanAt = (kind: number, told: number, shift: number): Span => SPANS_AT[kind]?.(told, shift) ?? NO_SPAN

/** The next one is never today or tomorrow, which have words of their own. */
function weekdayAt(told: number, shift: number, weekday: number): number {
  const ahead = (weekday - weekdayOf(told) + 7) % 7
  if (shift < 0) return told + ahead - 7
  return told + (ahead <= shift ? ahead + 7 : ahead)
}

/** What stands in a list at each of its places; where there is no word, what nothing matches. */
const sourcesOf = (list: string, parts: Readonly<Record<string, string>> = {}): string[] =>
  list
    .split(' ~ ')
    .map((source) => (source === '-' ? NOTHING : source.replace(/[A-Z]/g, (part) => parts[part] ?? part)))

const NOTHING = '(?!)'

const anyOf = (sources: readonly string[]): string => `(?:${sources.join('|')})`

/** Any word of a list, and which of it stands in words; the last, so that 十二 isn't taken for 二. */
function wordOf(language: Language, list: string | readonly string[]) {
  const sources = typeof list === 'string' ? list.split(' ') : list
  const patterns = sources.map((source) =>
    isUnspaced(language) ? new RegExp(source, 'u') : wordsIn(language, source)
  )
  const placeIn = (words: string): number => patterns.findLastIndex((pattern) => pattern.test(words))
  return { source: anyOf(sources), placeIn }
}

/** Between a weekday and its week: `Friday of next week`. */
const LINK = ',? (?:(?:of|on|am|der|del?|la|el|della|d?a|op|van|во?|на|من) ){0,2}'
const LEAST_SHIFT = -2

type Words = ReturnType<typeof wordOf>

function relativeParsers(language: Language): Parser[] {
  const forms = FORMS[language]
  const [weekday, period, unit, number] = [forms.weekdays, forms.periods, forms.units, forms.numbers].map(
    (list) => wordOf(language, list)
  ) as [Words, Words, Words, Words]
  const [W, P] = [weekday.source, period.source]
  const ofPeriods = sourcesOf(forms.shifts, { P, W: NOTHING, X: P })
  const counts = sourcesOf(forms.counts, { N: anyOf(['[0-9]{1,3}', number.source]), U: unit.source })
  const S = anyOf(ofPeriods)
  const link = isUnspaced(language) ? '[の的]?' : LINK
  const shiftOf = wordOf(language, ofPeriods)
  return [
    parserOf(language, sourcesOf(forms.days), (told, place) => spanAt(DAYS, told, place + LEAST_SHIFT)),
    parserOf(language, sourcesOf(forms.shifts, { P, W, X: anyOf([P, W]) }), (told, place, words) => {
      const shift = place + LEAST_SHIFT
      const day = weekday.placeIn(words)
      if (day < 0) return spanAt(WEEKS + period.placeIn(words), told, shift)
      return spanAt(DAYS, weekdayAt(told, shift, day), 0)
    }),
    parserOf(language, [`${W}${link}${S}`, `${S}${link}${W}`], (told, _place, words) => {
      if (period.placeIn(words) !== 0) return NO_SPAN
      const [monday] = weekAt(told, shiftOf.placeIn(words) + LEAST_SHIFT)
      return spanAt(DAYS, monday, (weekday.placeIn(words) + 6) % 7)
    }),
    parserOf(
      language,
      counts,
      (told, place, words) => {
        const digits = /[0-9]+/.exec(words)?.[0]
        const count = digits ? Number(digits) : number.placeIn(words) + 1 || (DUAL.test(words) ? 2 : 1)
        return countedAt(told, place, count, DAYS + unit.placeIn(words))
      },
      SINCE_PLACE
    )
  ]
}

const [AHEAD, LATELY, SINCE_PLACE] = [1, 2, 3]

/** What is past is counted in whole weeks and so on, what is ahead up to weeks to the day. */
function countedAt(told: number, place: number, count: number, kind: number): Span {
  if (place === LATELY) return [told - count * (UNIT_DAYS[kind] ?? Number.NaN), told]
  if (place === AHEAD) return kind === WEEKS ? spanAt(DAYS, told, 7 * count) : spanAt(kind, told, count)
  return kind === YEARS && count === 1 ? spanAt(MONTHS, told, -12) : spanAt(kind, told, -count)
}

/** Of a day, a week, a month, a year and a weekend. */
const UNIT_DAYS = [1, 7, 30, 365, 7]

/** Arabic has a form for two of a kind. */
const DUAL = /(?:ين|ان)$/

const isUnspaced = (language: Language): boolean => language === 'ja' || language === 'zh'

/** Whole words; where there are no spaces, none that begin with a part of a number. */
export function wordsIn(language: Language, source: string): RegExp {
  return isUnspaced(language)
    ? new RegExp(`(?<![0-9一二三四五六七八九十百千])(?:${source})`, 'u')
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu')
}

/** @param sincePlace which of the sources tells since when */
function parserOf(
  language: Language,
  sources: readonly string[],
  spanFrom: (told: number, place: number, words: string) => Span,
  sincePlace = Number.NaN
): Parser {
  const pattern = wordsIn(language, sources.join('|'))
  const whole = sources.map((source) => new RegExp(`^(?:${source})$`, 'iu'))
  return {
    pattern: () => pattern,
    extract(context, { index = 0, 0: words }) {
      const place = whole.findIndex((one) => one.test(words))
      const [first, last] = spanFrom(Math.floor(context.refDate.getTime() / DAY_MS), place, words)
      if (!(last >= first)) return null
      const end = first === last ? undefined : componentsOf(last)
      const result = context.createParsingResult(index, words, componentsOf(first), end).addTag(RELATIVE)
      return place === sincePlace ? result.addTag(SINCE) : result
    }
  }
}

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
