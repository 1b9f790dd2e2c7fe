// What a customer may buy, and buying it: the credits and the line on its statement come in one transaction, or neither.
import { CustomerPath } from '../../schemas/customer.ts'
import { BuyPack, BuyPackResult, PackList } from '../../schemas/pack.ts'
import { postLines } from '../billing/ledger.ts'
import { now } from '../clock.ts'
import { grantCredits } from '../credits/store.ts'
import { getCustomer, lockCustomer } from '../customers/store.ts'
import type { CustomerTable } from '../customers/table.ts'
import { newId } from '../ids.ts'
import { invalidField } from '../invalid-input.ts'
import { spendQuota } from '../limits/daily.ts'
import { fromMicros, toMicros } from '../money.ts'
import { ADDS, defineOperation } from '../operation.ts'
import { listPlans, planOnOffer } from '../plans/store.ts'

/** Returns the packs of AI credits that the customer may buy, with their prices. */
export const listPacks = defineOperation({
  name: 'pack_list',
  scope: 'customers:read',
  channels: ['portal'],
  input: CustomerPath,
  output: PackList,
  async handle({ db }, { partnerId }, { customerId }) {
    const offered = offeredTo(await getCustomer(db, partnerId, customerId))
    const plans = await listPlans(db, partnerId, offered)
    return { data: plans.filter(({ price, isArchived }) => price !== null && !isArchived) }
  }
})

/** Credit plans that the customer's `creditPlanIds` name; none without AI credits of its own. */
function offeredTo({ aiCreditsEnabled, creditPlanIds }: CustomerTable): string[] {
  const planIds: string[] = JSON.parse(creditPlanIds)
  return aiCreditsEnabled === 1 ? planIds : []
}

const PURCHASES_A_DAY = 20

/** Adds the pack’s AI credits to the customer’s and puts its price on the customer’s statement. */
export const buyPackOperation = defineOperation({
  name: 'pack_buy',
  title: 'Buy a pack',
  scope: 'customers:write',
  channels: ['portal'],
  input: BuyPack,
  output: BuyPackResult,
  annotations: ADDS,
  errors: ['plan_not_found'],
  async write(tx, ctx, { partnerId }, { customerId: reference, planId, version }) {
    const customer = await lockCustomer(tx, partnerId, reference)
    const debtor = { partnerId, customerId: customer.id }
    const isOffered = offeredTo(customer).includes(planId)
    const plan = await planOnOffer(tx, partnerId, 'credit', isOffered ? planId : '')
    if (version !== plan.version)
      throw invalidField('version', 'is another one by now: look at what the pack costs')
    await spendQuota(tx, ctx.config, {
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
    await ctx.audit(tx, { targetType: 'customer', targetId: customer.id, fields: ['credits'] })
    const data = { ...plan, balance: fromMicros(balanceMicros) }
    return { message: `${plan.name} was bought.`, data }
  }
})
