import type { WriteHandle } from '../database/database.ts'
import { fromMicros } from '../money.ts'
import { costOf, type Payer, type PaymentContext, takeFromBoth } from './payment.ts'
import { insertUsage } from './usage.ts'

/** One priced thing, such as a memory. */
interface Priced {
  /** The operation's name. */
  operation: string
  priceMicros: number
  /** What is paid for, such as the memory's id; paying twice for one is refused by the table. */
  reference: string
}

/**
 * Charges the partner, and the customer if it has AI credits, in the transaction that does the work. Call it late in
 * that transaction: until the commit, everybody else of this partner who pays waits.
 *
 * @throws ServiceError `insufficient_credits`; the transaction must end with it
 */
export async function chargeFor(
  ctx: PaymentContext,
  tx: WriteHandle,
  payer: Payer,
  { operation, priceMicros, reference }: Priced
): Promise<{ credits: number }> {
  const cost = costOf(payer, priceMicros)
  await takeFromBoth(ctx, tx, payer, cost, { kind: 'charge', operation, reference })
  await insertUsage(tx, payer.partnerId, payer.customer.id, cost.usageMicros)
  return { credits: fromMicros(priceMicros) }
}
