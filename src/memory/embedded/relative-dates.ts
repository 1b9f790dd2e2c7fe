// The days that a memory speaks of, told by when it happened: `last Friday`, `two weeks ago`, `in May`.
import { DAY_MS } from '../../clock.ts'
import { datesIn, dayNumber, dayOf, type Span, spanOf, yearOf } from './dates.ts'
import { fold } from './fold.ts'
import { wordFamilies, wordList } from './word-lists.ts'

const READ_LENGTH = 4_000
const MAX_SPANS = 8

/** Words for a number, in its place. */
const COUNTS = wordFamilies('zero|a an one|two couple|three few|four|five|six|seven|eight|nine|ten')
const WEEKDAYS = wordList('sun mon tue wed thu fri sat')

export function spansIn(text: string, occurredAt: string): Span[] {
  const year = yearOf(dayOf(occurredAt))
  const dated = datesIn(text).dates.map((date) => spanOf(date, year))
  const relative = relativeDatesIn(text, occurredAt).map(({ span }) => span)
  return [...dated, ...relative].filter(isSpan).slice(0, MAX_SPANS)
}

/** The words that speak of a day from where they stand, `last friday`, each with the days that are meant. */
export function relativeDatesIn(text: string, occurredAt: string): { words: string; span: Span }[] {
  const told = dayOf(occurredAt)
  const read = fold(text.slice(0, READ_LENGTH))
  const dates = RELATIVE.flatMap(([words, spanFrom]) =>
    [...read.matchAll(words)].map((match) => ({ words: match[0], span: spanFrom(told, match) }))
  )
  return dates.filter(({ span }) => isSpan(span)).slice(0, MAX_SPANS)
}

const isSpan = ([first, last]: Span): boolean => Number.isFinite(first) && last >= first

/** As a column keeps them: `19485:19485 19450:19480`. */
export const packSpans = (spans: readonly Span[]): string | null =>
  spans.length === 0 ? null : spans.map(([first, last]) => `${first}:${last}`).join(' ')

export const unpackSpans = (packed: string | null): Span[] =>
  (packed ?? '')
    .split(' ')
    .filter(Boolean)
    .map((span) => {
      const [first = Number.NaN, last = Number.NaN] = span.split(':').map(Number)
      return [first, last]
    })

const weekdayOf = (day: number): number => new Date(day * DAY_MS).getUTCDay()
const monthAgo = (day: number, months: number): Span => {
  const date = new Date(day * DAY_MS)
  const firstOf = (month: number) => dayNumber(date.getUTCFullYear(), month, 1)
  return [firstOf(date.getUTCMonth() - months), firstOf(date.getUTCMonth() - months + 1) - 1]
}
const yearAgo = (day: number, years: number): Span =>
  spanOf({ year: yearOf(day) - years, month: undefined, day: undefined }, yearOf(day))
/** From the Sunday before. */
const weekFrom = (day: number, weeks: number): Span => {
  const sunday = day - weekdayOf(day) + 7 * weeks
  return [sunday, sunday + 7]
}

type SpanFrom = (told: number, match: RegExpMatchArray) => Span

const RELATIVE: readonly (readonly [RegExp, SpanFrom])[] = [
  [
    /\b(?:yesterday|last night|ayer|hier|gestern|ontem|ieri|gisteren)\b|вчера|أمس|昨天|昨日/g,
    (day) => [day - 1, day - 1]
  ],
  [
    /\b(?:today|tonight|this (?:morning|afternoon|evening)|hoy|aujourd'hui|heute|hoje|oggi|vandaag)\b|сегодня|اليوم|今天|今日/g,
    (day) => [day, day]
  ],
  [/\b(?:tomorrow|manana|demain|amanha|domani)\b|завтра|غدا|明天|明日/g, (day) => [day + 1, day + 1]],
  [
    /\b(an?|one|two|three|four|five|six|seven|eight|nine|ten|[0-9]{1,3}|(?:a )?couple(?: of)?|(?:a )?few) (day|week|weekend|month|year)s? ago\b/g,
    ago
  ],
  [/\blast week\b/g, (day) => weekFrom(day, -1)],
  [/\bnext week\b/g, (day) => weekFrom(day, 1)],
  [/\b(?:last|this past|over the) weekend\b/g, (day) => [day - weekdayOf(day) - 2, day - weekdayOf(day)]],
  [/\b(?:last|past) month\b/g, (day) => monthAgo(day, 1)],
  [/\bthis month\b/g, (day) => monthAgo(day, 0)],
  [/\bnext month\b/g, (day) => monthAgo(day, -1)],
  [/\blast year\b/g, (day) => yearAgo(day, 1)],
  [/\bnext year\b/g, (day) => yearAgo(day, -1)],
  [
    /\b(last|on|past|next|this|coming) (sun|mon|tue|wed|thu|fri|sat)(?:day|sday|nesday|rsday|urday|s|rs)?\b/g,
    weekday
  ]
]

function ago(told: number, [, count = '', unit]: RegExpMatchArray): Span {
  const word = count.replace(/^a (?=[cf])/, '').replace(' of', '')
  const counted = COUNTS.findIndex((words) => words.includes(word))
  const number = counted < 0 ? Number(word) : counted
  const slack = word === 'few' || word === 'couple' ? 1 : 0
  if (unit === 'day') return [told - number - slack, told - number + slack]
  if (unit === 'month') return monthAgo(told, number)
  if (unit === 'year') return yearAgo(told, number)
  return [told - 7 * number - 4 - 3 * slack, told - 7 * number + 3 + 3 * slack]
}

/** `on Friday` is the one before, `this Friday` the one to come. */
function weekday(told: number, [, which = '', name = '']: RegExpMatchArray): Span {
  const isAhead = which === 'next' || which === 'this' || which === 'coming'
  const days = (WEEKDAYS.indexOf(name) - weekdayOf(told) + 7) % 7 || 7
  const day = isAhead ? told + days : told + days - 7 - (days === 7 ? 7 : 0)
  return [day, day]
}
