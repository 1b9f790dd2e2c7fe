// The days that a text speaks of, and what they are to a reader. All in UTC; days are counted since 1970.
import type { ParsedComponents, ParsedResult } from 'chrono-node'
import { DAY_MS } from '../../../clock.ts'
import { type Language, languageTold } from '../language.ts'
import { dayNumber, MONTH, RELATIVE, readerOf, SINCE, yearOf } from './readers.ts'

export interface Time {
  index: number
  length: number
  words: string
  first: number
  last: number
  /** Of the day, where a time is told with it. */
  minute?: number
  /** Told from where it stands, or without its year. */
  isRelative: boolean
  /** A day or a month by its name alone. */
  lacksYear: boolean
  /** From one day to another, each told. */
  isRange: boolean
  /** Goes on since then. */
  isSince: boolean
}

export const toldDay = (time: string): number => Math.floor(Date.parse(time) / DAY_MS)

const READ_LENGTH = 4_000
const MAX_TIMES = 8
/** What is read at once: some of chrono's patterns take the square of it. */
const PIECE_LENGTH = 400

/** The times that a text names for certain, in its order. */
export function timesIn(
  text: string,
  occurredAt: string,
  language: Language = languageTold(text)
): readonly Time[] {
  const instant = new Date(occurredAt)
  const told = toldDay(occurredAt)
  const reader = readerOf(language)
  const times: Time[] = []
  for (const { index, piece } of piecesOf(text.slice(0, READ_LENGTH))) {
    for (const result of reader.parse(piece, { instant, timezone: 'UTC' })) {
      const time = timeOf(result, told)
      if (time) times.push({ ...time, index: index + time.index })
      if (times.length === MAX_TIMES) return times
    }
  }
  return times
}

function piecesOf(text: string): { index: number; piece: string }[] {
  const pieces: { index: number; piece: string }[] = []
  for (let index = 0; index < text.length; ) {
    const room = text.slice(index, index + PIECE_LENGTH)
    const end =
      index + room.length === text.length ? -1 : Math.max(...SEAMS.map((seam) => room.lastIndexOf(seam)))
    const piece = end < PIECE_LENGTH / 2 ? room : room.slice(0, end + 1)
    pieces.push({ index, piece })
    index += piece.length
  }
  return pieces
}

const SEAMS = ['\n', '? ', '! ', '; ', '。', '？', '؟']

function timeOf(result: ParsedResult, told: number): Time | undefined {
  const { index, start, end } = result
  // `27 November, 30 guests`: what follows is no year.
  const text = hasYear(result.text) ? result.text : result.text.replace(/(?<=\p{L}.?),? [0-9]{2}$/u, '')
  const tags = result.tags()
  const isDay = !tags.has(RELATIVE) && !tags.has(MONTH)
  if (isDay && !isDate(result)) return undefined
  const first = dayOfComponents(start, told, text === result.text && (end ?? start).isCertain('year'))
  const last = end?.isCertain('day') ? dayOfComponents(end, first) : first
  if (!(last >= first)) return undefined
  const minute = minuteOf(start, text)
  const lacksYear = !tags.has(RELATIVE) && !hasYear(text)
  return {
    index,
    length: text.length,
    words: text,
    first,
    last,
    ...(minute === undefined || first !== last ? {} : { minute }),
    isRelative: tags.has(RELATIVE) || (isDay && lacksYear),
    lacksYear,
    isRange: first !== last && isDay,
    isSince: tags.has(SINCE)
  }
}

/** Day and month by a name, or by numbers with the year: `3/4` may be anything, and `he may 3 times`. */
const isDate = ({ text, start }: ParsedResult): boolean =>
  start.isCertain('day') &&
  start.isCertain('month') &&
  (hasYear(text) || (/\p{L}{2}|月/u.test(text) && !/^ma(?:y|r|rch) [0-9]|^[0-9]+,/.test(text)))

const hasYear = (text: string): boolean => /(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])/.test(text)

/** What is planned is told of more often than what is long past. */
const MOST_DAYS_BEFORE = 92

function dayOfComponents(
  components: ParsedComponents,
  told: number,
  isOfYear = components.isCertain('year')
): number {
  const [year, month, day] = (['year', 'month', 'day'] as const).map(
    (part) => components.get(part) ?? Number.NaN
  )
  const inYear = (y: number): number => dayNumber(y, (month ?? 0) - 1, day ?? 1)
  if (isOfYear) return inYear(year ?? 0)
  const toldYear = yearOf(told)
  const years = [toldYear - 1, toldYear, toldYear + 1]
  return years.map(inYear).find((one) => one >= told - MOST_DAYS_BEFORE) ?? Number.NaN
}

const EVENING = /night|evening|abend|soir|noche|tarde|noite|stasera|avond|вечер|ليل|مساء|[晩夜晚]/i

/** None where it could be before or after noon: `at 5`. */
function minuteOf(components: ParsedComponents, words: string): number | undefined {
  if (!components.isCertain('hour')) return undefined
  const hour = components.get('hour') ?? 0
  const minute = components.get('minute') ?? 0
  if (hour < 12 && !components.isCertain('meridiem') && EVENING.test(words)) return (hour + 12) * 60 + minute
  const isSure = hour >= 7 || components.isCertain('meridiem') || /(?<![0-9])0[0-9]/.test(words)
  return isSure ? hour * 60 + minute : undefined
}

/** The text with what is told from where it stands resolved behind it: `next Tuesday at 5 pm (Tue 10 Nov 2026, 17:00)`. */
export function dated(text: string, occurredAt: string, language: Language = languageTold(text)): string {
  let read = ''
  let from = 0
  for (const { index, length, isRelative, ...when } of timesIn(text, occurredAt, language)) {
    if (!isRelative || index < from) continue
    read += `${text.slice(from, index + length)} (${nameOf(when, language)})`
    from = index + length
  }
  return read + text.slice(from)
}

/** For who reads it on another day: in English, days told from where they stand by their date, `on 2026-11-08`. */
export function withDays(text: string, occurredAt: string): string {
  const days = timesIn(text, occurredAt, 'en').filter(
    ({ isRelative, lacksYear, first, last, minute }) =>
      isRelative && !lacksYear && first === last && minute === undefined
  )
  return days.reduceRight((read, { index, length, first }) => {
    const before = read.slice(0, index)
    const date = new Date(first * DAY_MS).toISOString().slice(0, 10)
    return `${before}${BEFORE_DAY.test(before) ? '' : 'on '}${date}${read.slice(index + length)}`
  }, text)
}

const BEFORE_DAY = /(?<![a-z])(?:on|by|until|since|from|for|of|before|after|to) $/i

type When = Pick<Time, 'first' | 'last' | 'minute' | 'isSince'>

/** `Di., 17. Nov. 2026, 16:00`; of more days `2 – 8 Nov 2026`, `Jun – Aug 2026`, `2026`. */
function nameOf({ first, last, minute, isSince }: When, language: Language): string {
  const [from, behind] = [first * DAY_MS, (last + 1) * DAY_MS]
  const isWhole = (start: string): boolean =>
    [from, behind].every((at) => new Date(at).toISOString().slice(0, 10).endsWith(start))
  if (first === last) {
    const day = format(language, 'weekday')
      .format(from)
      .replace(/^(\p{L}+),/u, '$1')
    return minute === undefined ? day : `${day}, ${isoClock(minute)}`
  }
  const parts = isWhole('-01-01') ? 'year' : isWhole('-01') ? 'month' : 'day'
  const name = format(language, parts)
    .formatRange(from, last * DAY_MS)
    .replace(/\p{Zs}/gu, ' ')
  return isSince && language === 'en' ? `since ${name}` : name
}

/** `17:00` */
export const isoClock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

const PARTS = {
  year: { year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }
} as const

const formats = new Map<string, Intl.DateTimeFormat>()

function format(language: Language, parts: keyof typeof PARTS): Intl.DateTimeFormat {
  const key = `${language} ${parts}`
  // Digits that all of the languages' readers know, and in English the day first: no reader takes that for a month.
  const locale = language === 'en' ? 'en-GB' : `${language}-u-nu-latn`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...PARTS[parts], timeZone: 'UTC' })
  formats.set(key, known)
  return known
}
