// A customer's plan: given, changed, ended, and moved on when a trial or a period ends. Whoever does it has locked the customer.
import { billingTermsOf, type Line, postLines } from '../billing/ledger.ts'
import { DAY_MS, fromNow, now } from '../clock.ts'
import { grantCredits } from '../credits/store.ts'
import { toColumns } from '../customers/columns.ts'
import { lockCustomer, updateCustomer } from '../customers/store.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { WriteHandle } from '../database/database.ts'
import { newId } from '../ids.ts'
import { toMicros } from '../money.ts'
import { planOnOffer } from '../plans/store.ts'
import { given, takenBack, toGiveAgain } from './given.ts'
import { advance, beginPeriod, end } from './periods.ts'
import { type SubscriptionRow, subscriptionInForce } from './store.ts'

/**
 * Gives the customer that plan in place of the one that it has, or none. The one that it has changes nothing; while that
 * is past due, its period is charged and begins now.
 *
 * @throws ServiceError `plan_not_found`
 */
export async function changePlan(
  tx: WriteHandle,
  customer: CustomerTable,
  planId: string | null
): Promise<CustomerTable> {
  const { partnerId, id: customerId } = customer
  const debtor = { partnerId, customerId }
  const { timeZone } = await billingTermsOf(tx, partnerId)
  const at = now()
  const held = await subscriptionInForce(tx, customer)
  const current = held && advance(held, customer, timeZone, at)
  const isSame = planId === (held?.planId ?? null)
  if (isSame && current?.subscription.status !== 'past_due') return customer

  const lines: Line[] = []
  let back: ReturnType<typeof takenBack> = {}
  if (held && current) {
    const ended = end(current.subscription, timeZone, at)
    lines.push(...current.lines, ...ended.lines)
    await saveSubscription(tx, ended.subscription)
    if (held.status !== 'past_due') back = takenBack(customer, held.gave)
  }
  const fresh = planId === null ? undefined : await termsOf(tx, customer, planId, isSame ? held : undefined)
  const gift = given({ ...customer, ...back }, fresh?.columns ?? {})
  let subscriptionStatus: SubscriptionRow['status'] = 'canceled'
  if (fresh && planId !== null) {
    const { trialEndsAt, planName, priceMicros, period } = fresh
    const row: SubscriptionRow = {
      ...{ id: newId('sub'), ...debtor, planId, planName, priceMicros, period, trialEndsAt },
      ...{ status: 'trialing', gave: gift.gave, dueAt: trialEndsAt, endedAt: null, createdAt: at },
      ...{ periodNumber: 0, periodPriceMicros: null, periodStartsAt: null, periodEndsAt: null }
    }
    const begun = trialEndsAt ? { subscription: row, lines: [] } : beginPeriod(row, customer, timeZone, at)
    lines.push(...begun.lines)
    await tx.insertInto('subscription').values(begun.subscription).execute()
    subscriptionStatus = begun.subscription.status
    if (fresh.credits) {
      const paid = { kind: 'initial', operation: 'subscription', reference: row.id } as const
      const amountMicros = toMicros(fresh.credits)
      await grantCredits(tx, debtor, { amountMicros, paid, note: planName })
    }
  }
  const columns = { ...back, ...gift.columns, planId, subscriptionStatus }
  const updated = await updateCustomer(tx, partnerId, customerId, columns)
  await postLines(tx, debtor, lines)
  return updated
}

/** What the plan gives by now; or again what it gave, without a trial and without credits, while it is past due. */
async function termsOf(
  tx: WriteHandle,
  { partnerId, subscriptionStatus }: CustomerTable,
  planId: string,
  pastDue: SubscriptionRow | undefined
) {
  if (pastDue) {
    const { planName, priceMicros, period, gave } = pastDue
    return { planName, priceMicros, period, columns: toGiveAgain(gave), trialEndsAt: null, credits: null }
  }
  const {
    features,
    name: planName,
    price,
    period,
    credits
  } = await planOnOffer(tx, partnerId, 'subscription', planId)
  const { trialDays = 0, ...given } = features
  // Once: a customer doesn't go from trial to trial.
  const hasTrial = trialDays > 0 && subscriptionStatus === 'none'
  const trialEndsAt = hasTrial ? fromNow(trialDays * DAY_MS) : null
  const priceMicros = price === null ? null : toMicros(price)
  return { planName, priceMicros, period, columns: toColumns(given), trialEndsAt, credits }
}

const saveSubscription = (tx: WriteHandle, { id, ...row }: SubscriptionRow) =>
  tx.updateTable('subscription').set(row).where('id', '=', id).execute()

/** Partners of whom something couldn't be moved on: the others come first, and then all of them again. */
const passedOver = new Set<string>()

/** Moves on a batch of what is due; how many there were. Missed periods come one after the other. */
export async function advanceDue(tx: WriteHandle, batch: number): Promise<number> {
  const due = await tx
    .selectFrom('subscription')
    .where('dueAt', '<=', now())
    .where('partnerId', 'not in', [...passedOver, ''])
    .select(['partnerId', 'customerId'])
    .orderBy('dueAt')
    .limit(batch)
    .execute()
  if (due.length < batch) passedOver.clear()
  const owed: { partnerId: string; customerId: string; lines: Line[] }[] = []
  let inTurn = ''
  try {
    // Every customer before every account, each in the order of their ids: no circle of waits.
    for (const { partnerId, customerId } of due.toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1))) {
      inTurn = partnerId
      const lines = await advanceOne(tx, partnerId, customerId)
      owed.push({ partnerId, customerId, lines })
    }
    for (const { lines, ...debtor } of owed) {
      inTurn = debtor.partnerId
      await postLines(tx, debtor, lines)
    }
  } catch (error) {
    passedOver.add(inTurn)
    throw error
  }
  return due.length
}

/** What the customer owes for the periods that have begun. */
async function advanceOne(tx: WriteHandle, partnerId: string, customerId: string): Promise<Line[]> {
  const customer = await lockCustomer(tx, partnerId, customerId)
  // Another process may have moved it on while this one waited.
  const held = await subscriptionInForce(tx, customer)
  if (!held) return []
  const { timeZone } = await billingTermsOf(tx, partnerId)
  const { subscription, lines } = advance(held, customer, timeZone, now())
  if (subscription === held) return []
  await saveSubscription(tx, subscription)
  const { status: subscriptionStatus } = subscription
  const gated = subscriptionStatus === 'past_due' ? takenBack(customer, held.gave) : {}
  if (subscriptionStatus !== held.status)
    await updateCustomer(tx, partnerId, customerId, { subscriptionStatus, ...gated })
  return lines
}
