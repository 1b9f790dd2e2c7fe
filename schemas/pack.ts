// Packs: AI credits that a customer may buy on account.
import { z } from 'zod'
import { data, doneOf } from './envelope.ts'
import { Plan } from './plan.ts'
import { CustomerId, RecordId, told } from './primitives.ts'

/** A credit plan with credits and a price. */
export const Pack = Plan.pick({
  planId: true,
  name: true,
  credits: true,
  price: true,
  currency: true,
  version: true
}).meta({ id: 'Pack' })

export const PackList = z.object({ data: data(z.array(Pack)) })

export const BuyPack = z.strictObject({
  customerId: CustomerId,
  planId: RecordId,
  version: told.count('The version whose price was shown.', 1)
})

export const BuyPackResult = doneOf(
  'The pack was bought.',
  Pack.extend({ balance: told.amount('AI credits left now.', 982.5) })
)
