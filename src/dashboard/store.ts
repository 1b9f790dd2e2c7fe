import { sql } from 'kysely'
import type { ReadHandle } from '../database/database.ts'
import { unreachable } from '../instances/store.ts'
import { fromMicros } from '../money.ts'

const STATES = ['credentialStatus', 'orderStatus', 'subscriptionStatus'] as const

export async function countByState(db: ReadHandle, partnerId: string) {
  const states = await db
    .selectFrom('customer')
    .where('partnerId', '=', partnerId)
    .groupBy(STATES)
    .select((eb) => [...STATES, eb.fn.countAll<number>().as('count')])
    .execute()
  const countOf = (column?: (typeof STATES)[number], value?: string): number =>
    states.reduce((sum, state) => (!column || state[column] === value ? sum + state.count : sum), 0)
  return {
    total: countOf(),
    portal: {
      none: countOf('credentialStatus', 'none'),
      active: countOf('credentialStatus', 'active'),
      suspended: countOf('credentialStatus', 'suspended')
    },
    order: { new: countOf('orderStatus', 'new'), active: countOf('orderStatus', 'active') },
    onTrial: countOf('subscriptionStatus', 'trialing')
  }
}

const SHOWN_CUSTOMERS = 5
export const SHOWN_SERVERS = 5

/** Customers whose AI credits have fallen below their own threshold. */
export async function findLowOnCredits(db: ReadHandle, partnerId: string) {
  const low = db
    .selectFrom('customer')
    // A customer that was never granted anything has no account, and nothing in it.
    .leftJoin('creditAccount', 'creditAccount.id', 'customer.id')
    .where('customer.partnerId', '=', partnerId)
    .where('aiCreditsEnabled', '=', 1)
    .where((eb) => eb(balance(), '<', eb.ref('lowCreditThresholdMicros')))
  const { count } = await low.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await low
    .select(['customer.id', 'firstName', 'lastName', 'companyName', 'email'])
    .select(['lowCreditThresholdMicros', balance().as('balanceMicros')])
    .orderBy('balanceMicros')
    .orderBy('customer.id')
    .limit(SHOWN_CUSTOMERS)
    .execute()
  return {
    count,
    customers: rows.map(({ balanceMicros, lowCreditThresholdMicros, ...customer }) => ({
      ...customer,
      balance: fromMicros(balanceMicros),
      threshold: fromMicros(lowCreditThresholdMicros ?? 0)
    }))
  }
}

export const findUnreachable = async (db: ReadHandle, partnerId: string) =>
  unreachable(db)
    .where('partnerId', '=', partnerId)
    .select(['id', 'name', 'unreachableSince as since'])
    .orderBy('unreachableSince')
    .limit(SHOWN_SERVERS + 1)
    .execute()

const balance = () => sql<number>`coalesce("creditAccount"."balanceMicros", 0)`
