// Days that a text speaks of. All in UTC; a span of days is `[first, last]`, each counted since 1970.
import { fold } from './fold.ts'
import { LATIN_LANGUAGES, type Language } from './language.ts'
import { monthNamesOf, type PartialDate, type Span, spanOf, yearOf } from './time/readers.ts'
import { timesIn, toldDay } from './time/times.ts'
import { wordList, wordSet } from './word-lists.ts'

/** Of all languages, and the short ones of English. */
const monthNumbers: ReadonlyMap<string, number> = new Map([
  ...[...LATIN_LANGUAGES, 'ru' as const, 'ar' as const].flatMap((language) =>
    [...monthNamesOf(language, language === 'en' ? ['long', 'short'] : ['long'])].map(
      ([name, month]) => [fold(name), month] as const
    )
  ),
  ['sept', 8]
])

/** @param word folded */
export const isMonthName = (word: string): boolean => monthNumbers.has(word)

/** Words of their own in some language, or people's names: a month only where a number or a preposition says so. */
const doubtfulMonths = wordSet('march mar may mars mai mei marco jan sep dec april june august мая май')

export { type PartialDate, type Span, spanOf, toldDay as dayOf, yearOf }

/** The beginning tells what a memory or a question is about. */
const OPENING = { length: 4_000, dates: 8 }

export function datesIn(text: string, most = OPENING): { dates: PartialDate[]; words: ReadonlySet<string> } {
  const folded = fold(text.slice(0, most.length))
  const dates: PartialDate[] = []
  const words = new Set<string>()
  const add = (year: number | undefined, month: number | undefined, day: number | undefined): void => {
    if (dates.length < most.dates) dates.push({ year, month, day })
  }
  const rest = folded.replace(NUMERIC, (whole, y1, m1, d1, y2, m2, d2, a, mark, b, y3) => {
    for (const word of whole.split(/[^0-9]+/)) words.add(word)
    if (y1) add(Number(y1), Number(m1) - 1, Number(d1))
    else if (y2 || m2) add(numberOf(y2), Number(m2) - 1, numberOf(d2))
    else {
      const [day, month] = mark === '/' && Number(b) > 12 ? [b, a] : [a, b]
      add(Number(y3), Number(month) - 1, Number(day))
    }
    return ' '
  })
  const tokens = rest.match(/[\p{L}\p{M}]+|[0-9]+/gu) ?? []
  for (const [at, token] of tokens.entries()) {
    const month = monthNumbers.get(token)
    if (month === undefined) continue
    const { day, year, used } = aroundMonth(tokens, at)
    const isCertain = used.length > 0 || BEFORE_MONTH.has(tokens[at - 1] ?? '')
    if (doubtfulMonths.has(token) && !isCertain) continue
    add(year, month, day)
    for (const word of [token, ...used]) words.add(word)
  }
  for (const token of tokens) {
    if (!YEAR.test(token) || words.has(token)) continue
    add(Number(token), undefined, undefined)
    words.add(token)
  }
  return { dates: dates.filter(isPossible), words }
}

/** `2023-05-08`, `2023年5月8日`, `5月8日`, `8.5.2023`, `5/23/2023`. */
const NUMERIC =
  /\b([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})\b|(?:([0-9]{4})年)?([0-9]{1,2})月(?:([0-9]{1,2})日)?|\b([0-9]{1,2})([./])([0-9]{1,2})\8([0-9]{4})\b/g

const DAY = /^[0-9]{1,2}$/
const YEAR = /^(?:19|20)[0-9]{2}$/
const BEFORE_MONTH = wordSet(
  'in on of during since by until early late mid this last next en im am au em de del di nel в с'
)
/** Between a day and its month, or a month and its year: `8th of May`, `8 de mayo de 2023`. */
const LINKS = wordSet('st nd rd th er of de del do der the')

function aroundMonth(tokens: readonly string[], at: number) {
  const behindLinks = (start: number, step: 1 | -1) => {
    let index = start
    while (LINKS.has(tokens[index] ?? '')) index += step
    return { word: tokens[index] ?? '', next: index + step }
  }
  const before = behindLinks(at - 1, -1)
  const after = behindLinks(at + 1, 1)
  const day = [before.word, after.word].find((word) => DAY.test(word))
  const year = [after.word, behindLinks(after.next, 1).word, before.word].find((word) => YEAR.test(word))
  const used = [day, year].filter((word) => word !== undefined)
  return { day: numberOf(day), year: numberOf(year), used }
}

const numberOf = (digits: string | undefined): number | undefined =>
  digits === undefined || digits === '' ? undefined : Number(digits)

const isPossible = ({ year, month, day }: PartialDate): boolean =>
  (year === undefined || (year >= 1900 && year < 2200)) &&
  (month === undefined || (month >= 0 && month < 12)) &&
  (day === undefined || (day >= 1 && day <= 31))

const WEEKDAYS = wordList('Sunday Monday Tuesday Wednesday Thursday Friday Saturday')

export const weekdayNameOf = (date: Date): string => WEEKDAYS[date.getUTCDay()] ?? ''

/** The days that a text speaks of, by date or told by when it was. */
export const spansIn = (text: string, occurredAt: string, language?: Language): Span[] =>
  timesIn(text, occurredAt, language).map(({ first, last }) => [first, last])

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
