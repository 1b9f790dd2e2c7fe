import { CustomerPath } from '../../schemas/customer.ts'
import { BuyPack, BuyPackResult, PackList } from '../../schemas/pack.ts'
import { getCustomer } from '../customers/store.ts'
import { ADDS, defineOperation, READS } from '../operation.ts'
import { buyPack, packsFor } from './store.ts'

export const listPacks = defineOperation({
  name: 'pack_list',
  title: 'List the packs that a customer may buy',
  summary: 'Returns the packs of AI credits that the customer may buy, with their prices.',
  scope: 'customers:read',
  channels: ['portal'],
  input: CustomerPath,
  output: PackList,
  annotations: READS,
  async handle({ db }, { partnerId }, { customerId }) {
    return { data: await packsFor(db, await getCustomer(db, partnerId, customerId)) }
  }
})

export const buyPackOperation = defineOperation({
  name: 'pack_buy',
  title: 'Buy a pack',
  summary: 'Adds the pack’s AI credits to the customer’s and puts its price on the customer’s statement.',
  scope: 'customers:write',
  channels: ['portal'],
  input: BuyPack,
  output: BuyPackResult,
  annotations: ADDS,
  errors: ['plan_not_found'],
  async handle(ctx, { partnerId }, input) {
    return ctx.transaction(async (tx) => {
      const { customerId, ...bought } = await buyPack(tx, ctx.config, partnerId, input)
      await ctx.audit(tx, { targetType: 'customer', targetId: customerId, fields: ['credits'] })
      return { message: `${bought.name} was bought.`, data: bought }
    })
  }
})
