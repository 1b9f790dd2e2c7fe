import type { ReadHandle } from '../database/database.ts'
import { countsOf, rowCount } from '../database/row-count.ts'
import { fromMicros } from '../money.ts'

const STATES = ['customer.credentialStatus', 'customer.orderStatus', 'customer.subscriptionStatus'] as const

export async function countByState(db: ReadHandle, partnerId: string) {
  const counts = countsOf(db, partnerId).where('subject', 'in', ['customer', ...STATES])
  const rows = await counts.select(['subject', 'value', 'count']).execute()
  const known = new Map(rows.map(({ subject, value, count }) => [`${subject} ${value}`, count]))
  const countOf = (state: (typeof STATES)[number], value: string) => known.get(`${state} ${value}`) ?? 0
  return {
    total: known.get('customer ') ?? 0,
    portal: {
      none: countOf('customer.credentialStatus', 'none'),
      active: countOf('customer.credentialStatus', 'active'),
      suspended: countOf('customer.credentialStatus', 'suspended')
    },
    order: { new: countOf('customer.orderStatus', 'new'), active: countOf('customer.orderStatus', 'active') },
    onTrial: countOf('customer.subscriptionStatus', 'trialing')
  }
}

const SHOWN_CUSTOMERS = 5

/** Customers who have no AI credits left, or less than their own threshold. */
export async function findLowOnCredits(db: ReadHandle, partnerId: string) {
  const rows = await db
    .selectFrom('lowCredit')
    .innerJoin('customer', 'customer.id', 'lowCredit.customerId')
    .leftJoin('creditAccount', 'creditAccount.id', 'lowCredit.customerId')
    .where('lowCredit.partnerId', '=', partnerId)
    .select(['customer.id', 'firstName', 'lastName', 'companyName', 'email'])
    .select(['lowCreditThresholdMicros', 'lowCredit.balanceMicros', 'creditAccount.updatedAt as movedAt'])
    .orderBy('lowCredit.balanceMicros')
    .orderBy('lowCredit.customerId')
    .limit(SHOWN_CUSTOMERS)
    .execute()
  return {
    count: await rowCount({ db, partnerId, table: 'lowCredit' }),
    customers: rows.map(({ balanceMicros, lowCreditThresholdMicros, ...customer }) => ({
      ...customer,
      balance: fromMicros(balanceMicros),
      threshold: fromMicros(lowCreditThresholdMicros ?? 0)
    }))
  }
}

declare module '../database/tables.ts' {
  interface Tables {
    /** Customers whose AI credits are below their threshold, or at 0; triggers keep it as either moves. */
    lowCredit: {
      customerId: string
      partnerId: string
      balanceMicros: number
    }
  }
}
