// What a customer may buy, and buying it: the credits and the line on its statement come in one transaction, or neither.
import type { z } from 'zod'
import type { BuyPack } from '../../schemas/pack.ts'
import type { Plan } from '../../schemas/plan.ts'
import { postLines } from '../billing/ledger.ts'
import { now } from '../clock.ts'
import { grantCredits } from '../credits/store.ts'
import { lockCustomer } from '../customers/store.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { newId } from '../ids.ts'
import { invalidField } from '../invalid-input.ts'
import { type DailyLimitConfig, spendOfDay } from '../limits/daily.ts'
import { fromMicros, toMicros } from '../money.ts'
import { listPlans, planOnOffer } from '../plans/store.ts'

/** Credit plans with credits and a price that the customer's `creditPlanIds` name; none without AI credits of its own. */
export async function packsFor(db: ReadHandle, customer: CustomerTable): Promise<Plan[]> {
  const plans = await listPlans(db, customer.partnerId, offeredTo(customer))
  return plans.filter(({ price, isArchived }) => price !== null && !isArchived)
}

function offeredTo({ aiCreditsEnabled, creditPlanIds }: CustomerTable): string[] {
  const planIds: string[] = JSON.parse(creditPlanIds)
  return aiCreditsEnabled === 1 ? planIds : []
}

const PURCHASES_A_DAY = 20

/**
 * Sells the pack to the customer, on account.
 *
 * @throws ServiceError `customer_not_found`, `plan_not_found`, `rate_limited`, and `invalid_input` when
 *   the pack was changed since its price was shown
 */
export async function buyPack(
  tx: WriteHandle,
  config: DailyLimitConfig,
  partnerId: string,
  { customerId: reference, planId, version }: z.output<typeof BuyPack>
) {
  const customer = await lockCustomer(tx, partnerId, reference)
  const debtor = { partnerId, customerId: customer.id }
  const isOffered = offeredTo(customer).includes(planId)
  const plan = await planOnOffer(tx, partnerId, 'credit', isOffered ? planId : '')
  if (version !== plan.version)
    throw invalidField('version', 'is another one by now: look at what the pack costs')
  await spendOfDay(tx, config, {
    quota: PURCHASES_A_DAY,
    of: ['packs of', customer.id],
    what: `${PURCHASES_A_DAY} packs were bought today, which is the most`
  })

  const paid = { kind: 'purchase', operation: 'pack_buy', reference: newId('pur') } as const
  const amountMicros = toMicros(plan.credits ?? 0)
  const { balanceMicros } = await grantCredits(tx, debtor, { amountMicros, paid, note: plan.name })
  const line = { kind: 'pack', amountMicros: toMicros(plan.price ?? 0), description: plan.name } as const
  const lines = plan.price === 0 ? [] : [{ ...line, reference: paid.reference, occurredAt: now() }]
  await postLines(tx, debtor, lines)
  return { ...plan, customerId: customer.id, balance: fromMicros(balanceMicros) }
}
