// Days and periods as a partner's clocks show them: half-open, from one midnight of its time zone to another.
import { Temporal } from 'temporal-polyfill'
import type { PERIODS } from '../../schemas/plan.ts'
import { now } from '../clock.ts'
import { onceForValue } from '../once.ts'

export type Period = (typeof PERIODS)[number]

/** From `startsAt` on, and before `endsAt`; both as the tables keep instants. */
export interface Span {
  startsAt: string
  endsAt: string
}

const MONTHS: Record<Period, number> = { month: 1, quarter: 3, year: 12 }

/** Whether it names a zone of the IANA database, such as `Europe/Lisbon`. */
export function isTimeZone(zone: string): boolean {
  try {
    // An offset such as `+02:00` is taken, too, but knows nothing of daylight saving; `Intl` alone takes `PST` and others.
    return /^[a-z]/i.test(zone) && [dayOf, monthOf].every((of) => of(now(), zone))
  } catch {
    return false
  }
}

/** The calendar month in that zone that holds the instant. */
export function monthOf(instant: string, zone: string): Span {
  const first = inZone(instant, zone).toPlainDate().with({ day: 1 })
  return { startsAt: midnight(first, zone), endsAt: midnight(first.add({ months: 1 }), zone) }
}

/**
 * The period that begins `count` periods after the anchor, at the anchor's time of day: from 31 January on, a month ends on
 * 28 or 29 February and the next one on 31 March.
 */
export function periodAfter(anchor: string, zone: string, period: Period, count: number): Span {
  const start = inZone(anchor, zone)
  const months = MONTHS[period]
  return {
    startsAt: iso(start.add({ months: months * count })),
    endsAt: iso(start.add({ months: months * (count + 1) }))
  }
}

/** The day in that zone, as `2026-03-29`. */
export function dayOf(instant: string, zone: string): string {
  return dayFormat(zone).format(Date.parse(instant))
}

/** The instant at which that day begins in that zone; not every day has a midnight. */
export const startOfDay = (day: string, zone: string): string => midnight(Temporal.PlainDate.from(day), zone)

/** The day so many days after that one, or before it. */
export const daysAfter = (day: string, count: number): string =>
  Temporal.PlainDate.from(day).add({ days: count }).toString()

const midnight = (date: Temporal.PlainDate, zone: string): string => iso(date.toZonedDateTime(zone))

const inZone = (instant: string, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone)

const iso = ({ epochMilliseconds }: Temporal.ZonedDateTime): string =>
  new Date(epochMilliseconds).toISOString()

/** One each: making it takes longer than a thousand days. Swedish dates are ISO's. */
const dayFormat = onceForValue((timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone }))
