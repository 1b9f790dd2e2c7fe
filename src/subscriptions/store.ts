import type { Generated, Selectable } from 'kysely'
import type { Period } from '../billing/calendar.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { ReadHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type SubscriptionRow = Selectable<Tables['subscription']>

export const subscriptionsOf = (db: ReadHandle, { partnerId, id }: CustomerTable) =>
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

declare module '../database/tables.ts' {
  interface Tables {
    subscription: Owned & {
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
