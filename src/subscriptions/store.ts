import type { Generated, Selectable } from 'kysely'
import type { z } from 'zod'
import type { ListSubscriptions } from '../../schemas/subscription.ts'
import type { Period } from '../billing/calendar.ts'
import { billingTermsOf } from '../billing/ledger.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { ReadHandle } from '../database/database.ts'
import { pageOfRows } from '../database/page.ts'
import type { Tables } from '../database/tables.ts'
import { fromMicros } from '../money.ts'

export type SubscriptionRow = Selectable<Tables['subscription']>

const subscriptionsOf = (db: ReadHandle, { partnerId, id }: CustomerTable) =>
  db.selectFrom('subscription').where('partnerId', '=', partnerId).where('customerId', '=', id)

export const subscriptionInForce = (
  db: ReadHandle,
  customer: CustomerTable
): Promise<SubscriptionRow | undefined> =>
  subscriptionsOf(db, customer).where('endedAt', 'is', null).selectAll().executeTakeFirst()

/** What a period costs by now: what was agreed with the customer, or the plan's price when it was given. */
export const priceOf = (
  { priceMicros }: Pick<SubscriptionRow, 'priceMicros'>,
  { agreedPriceMicros }: CustomerTable
): number => agreedPriceMicros ?? priceMicros ?? 0

export async function pageOfSubscriptions(
  db: ReadHandle,
  customer: CustomerTable,
  page: Omit<z.output<typeof ListSubscriptions>, 'customerId'>
) {
  const own = subscriptionsOf(db, customer)
  // The one in force comes first also where it began in the same millisecond as the one before ended.
  const newest = own
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy((eb) => eb('endedAt', 'is not', null))
  const { rows, pagination } = await pageOfRows(page, newest.orderBy('id'), own)
  const { currency } = await billingTermsOf(db, customer.partnerId)
  const data = rows.map((row) => ({
    ...row,
    subscriptionId: row.id,
    price: fromMicros(row.endedAt === null ? priceOf(row, customer) : (row.periodPriceMicros ?? 0)),
    currency,
    nextChargeAt: row.dueAt
  }))
  return { data, pagination }
}

declare module '../database/tables.ts' {
  interface Tables {
    subscription: {
      id: string
      partnerId: string
      customerId: string
      planId: string
      /** As the plan called it when it was given. */
      planName: Generated<string>
      status: Generated<'trialing' | 'active' | 'past_due' | 'canceled'>
      trialEndsAt: string | null
      /** The plan's terms when it was given: later versions of it are for later customers. */
      priceMicros: Generated<number | null>
      period: Generated<Period>
      /** JSON of what the plan changed of the customer's columns, with what was there before: `{column: [before, after]}`. */
      gave: Generated<string>
      /** The period that was charged last, and at what; counted from 0. */
      periodNumber: Generated<number>
      periodPriceMicros: Generated<number | null>
      periodStartsAt: Generated<string | null>
      periodEndsAt: Generated<string | null>
      /** When its trial or its period ends. */
      dueAt: Generated<string | null>
      endedAt: Generated<string | null>
      createdAt: string
    }
  }
}
