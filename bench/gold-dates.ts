// Days and periods as answers write them: the same one may be spelled in many ways.
import { en, type ParsedComponents } from 'chrono-node'
import { DAY_MS } from '../src/clock.ts'

/** Days since 1970, both inclusive. */
type Span = readonly [first: number, last: number]

/** The days, the spans of days and the months that a text names with their year. */
export function spansIn(text: string): Span[] {
  const days = en.strict.parse(text).flatMap(({ start, end }): Span[] => {
    if (!(start.isCertain('day') && (end ?? start).isCertain('year'))) return []
    return [[dayOf(start), dayOf(end ?? start)]]
  })
  const months = [...text.toLowerCase().matchAll(MONTH)].map(([, name = '', year]): Span => {
    const month = MONTHS.indexOf(name)
    return [dayNumber(Number(year), month, 1), dayNumber(Number(year), month + 1, 0)]
  })
  return [...days, ...months]
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** Without a day before it. */
const MONTH = new RegExp(`(?<![0-9] )\\b(${MONTHS.join('|')})[a-z]*[ ,.]+([0-9]{4})\\b`, 'g')

const dayOf = (date: ParsedComponents): number =>
  dayNumber(date.get('year') ?? 0, (date.get('month') ?? 0) - 1, date.get('day') ?? 0)

const dayNumber = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / DAY_MS

const BEFORE = /^(?:the )?(two )?([a-z]+?)s? before /
const WEEKDAYS = 'thursday friday saturday sunday monday tuesday wednesday'.split(' ') // as 1970 began

/** What a gold answer may mean that is nothing but a time: `the week before 9 June 2023` has two readings. */
export function spansOf(gold: string): Span[] {
  const text = gold
    .toLowerCase()
    .trim()
    .replace(/^(?:in|on) |\.$/g, '')
  if (/^[0-9]{4}$/.test(text)) return [[dayNumber(Number(text), 0, 1), dayNumber(Number(text), 11, 31)]]
  const [before = '', two, unit = ''] = BEFORE.exec(text) ?? []
  const date = text.slice(before.length)
  if (!ALONE.test(date)) return []
  const [span] = spansIn(date)
  if (!span || before === '') return span ? [span] : []
  return span[0] === span[1] ? spansBefore(span[0], unit, two ? 2 : 1) : []
}

/** A day or a month with nothing else: of `a few days before` it nobody knows which day that is. */
const ALONE =
  /^(?:[0-9]{1,2}(?:st|nd|rd|th)? )?(?:of )?[a-z]+[ .,]*(?:[0-9]{1,2}(?:st|nd|rd|th)?,? )?[0-9]{4}$/

function spansBefore(day: number, unit: string, count: number): Span[] {
  const weeks = 7 * count
  const monday = day - ((day + 3) % 7)
  if (unit === 'weekend') return [[monday - weeks + 5, monday - weeks + 6]]
  if (unit === 'week')
    return [
      [monday - weeks, monday - weeks + 6],
      [day - weeks, day - weeks + 6]
    ]
  const weekday = WEEKDAYS.indexOf(unit)
  if (weekday < 0) return []
  const one = day - weeks + ((((weekday - day + weeks) % 7) + 7) % 7)
  return [[one, one]]
}

/** Whether an answer names the time that a gold answer is, however both are spelled. */
export function namesTime(gold: string, answer: string): boolean {
  const named = spansIn(answer)
  return spansOf(gold).some(([first, last]) => named.some((one) => one[0] === first && one[1] === last))
}
