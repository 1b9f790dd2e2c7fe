// Days and instants as they are asked for, and what their reader may see.
import { Day, FIRST_DAY, MAX_DAYS } from '../../schemas/usage.ts'
import { dayOf, daysAfter, startOfDay } from '../billing/calendar.ts'
import { billingTermsOf } from '../billing/ledger.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'

export type Sight = Awaited<ReturnType<typeof sightOf>>

/** What of a partner's calls the caller sees: all, or as a customer what the partner lets it. */
export async function sightOf(db: ReadHandle, { partnerId, customerId }: Caller) {
  const { showsCosts, showsRecordings, ...terms } = await billingTermsOf(db, partnerId)
  const isPartner = customerId === undefined
  return {
    partnerId,
    ...terms,
    isPartner,
    showsCosts: isPartner || showsCosts === 1,
    showsRecordings: isPartner || showsRecordings === 1
  }
}

const isDay = (moment: string): boolean => Day.safeParse(moment).success
const utc = (instant: string): string => new Date(instant).toISOString()

interface Span {
  from?: string | undefined
  to?: string | undefined
}

/** The instant at which the span begins, and the one before which it ends. */
export const boundsOf = ({ from, to }: Span, zone: string) => ({
  since: from && (isDay(from) ? startOfDay(from, zone) : utc(from)),
  until: to && (isDay(to) ? startOfDay(daysAfter(to, 1), zone) : utc(to))
})

const USUAL_DAYS = 30

/** Each day from the first one to the last. @throws ServiceError `invalid_input` for none, and for more than `MAX_DAYS` */
export function daysAsked({ from, to }: Span, zone: string): string[] {
  const last = to ?? dayOf(now(), zone)
  const back = daysAfter(last, 1 - USUAL_DAYS)
  const first = from ?? (back < FIRST_DAY ? FIRST_DAY : back)
  const all = Array.from({ length: MAX_DAYS }, (_, index) => daysAfter(first, index))
  const asked = all.slice(0, all.indexOf(last) + 1)
  if (asked.length > 0) return asked
  const message = `from must be a day up to ${MAX_DAYS - 1} days before to, which is ${last}.`
  throw new ServiceError('invalid_input', message, { field: 'from' })
}
