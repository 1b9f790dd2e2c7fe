// Periods of a subscription, each charged at its start; and what goes back of one that ends early.
import { periodAfter } from '../billing/calendar.ts'
import type { Line } from '../billing/ledger.ts'
import { shareOf } from '../billing/price.ts'
import type { CustomerTable } from '../customers/table.ts'
import { priceOf, type SubscriptionRow } from './store.ts'

/** A subscription as it is then, with what the customer owes for that. */
interface Step {
  subscription: SubscriptionRow
  lines: Line[]
}

/** Its next period, or its first one. */
export function beginPeriod(
  before: SubscriptionRow,
  customer: CustomerTable,
  zone: string,
  startsAt: string
): Step {
  const { id, planName, trialEndsAt, createdAt, period } = before
  const periodNumber = before.periodStartsAt === null ? 0 : before.periodNumber + 1
  const { endsAt } = periodAfter(trialEndsAt ?? createdAt, zone, period, periodNumber)
  const amountMicros = priceOf(before, customer)
  const line: Line = {
    kind: 'subscription',
    amountMicros,
    reference: `${id}:${periodNumber}`,
    description: `${planName}, ${spokenDay(startsAt, zone)} to ${spokenDay(endsAt, zone)}`,
    occurredAt: startsAt
  }
  const begun = { periodNumber, periodStartsAt: startsAt, periodEndsAt: endsAt, dueAt: endsAt }
  return {
    subscription: { ...before, ...begun, status: 'active', periodPriceMicros: amountMicros },
    lines: amountMicros === 0 ? [] : [line]
  }
}

/** Every period that has begun by then, one after the other; who pays before a period has to be given it again. */
export function advance(before: SubscriptionRow, customer: CustomerTable, zone: string, at: string): Step {
  const lines: Line[] = []
  let subscription = before
  while (subscription.dueAt !== null && subscription.dueAt <= at) {
    if (customer.billingType === 'prepaid' && priceOf(subscription, customer) > 0)
      return { subscription: { ...subscription, status: 'past_due', dueAt: null }, lines }
    const step = beginPeriod(subscription, customer, zone, subscription.dueAt)
    lines.push(...step.lines)
    subscription = step.subscription
  }
  return { subscription, lines }
}

/** Ends it, and gives back what is left of a period that was charged. */
export function end(before: SubscriptionRow, zone: string, at: string): Step {
  const { id, planName, periodNumber, periodPriceMicros, periodStartsAt, periodEndsAt } = before
  const subscription = { ...before, status: 'canceled', dueAt: null, endedAt: at } as const
  if (!periodPriceMicros || periodStartsAt === null || periodEndsAt === null || periodEndsAt <= at)
    return { subscription, lines: [] }
  const wholeMs = Date.parse(periodEndsAt) - Date.parse(periodStartsAt)
  const leftMs = Math.min(wholeMs, Date.parse(periodEndsAt) - Date.parse(at))
  const unused: Line = {
    kind: 'subscription',
    amountMicros: -shareOf(periodPriceMicros, leftMs, wholeMs),
    reference: `${id}:${periodNumber}:unused`,
    description: `${planName}, unused from ${spokenDay(at, zone)}`,
    occurredAt: at
  }
  return { subscription, lines: [unused] }
}

/** “1 Oct 2026” */
const spokenDay = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(
    Date.parse(instant)
  )
