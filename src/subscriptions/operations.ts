import { ListSubscriptions, SubscriptionPage } from '../../schemas/subscription.ts'
import { billingTermsOf } from '../billing/ledger.ts'
import { getCustomer } from '../customers/store.ts'
import { pageOfRows } from '../database/page.ts'
import { fromMicros } from '../money.ts'
import { defineOperation } from '../operation.ts'
import { priceOf, subscriptionsOf } from './store.ts'

export const listSubscriptions = defineOperation({
  name: 'subscription_list',
  title: 'List a customer’s subscriptions',
  summary: 'Returns the plan that the customer has and those that it had, newest first, with what they cost.',
  scope: 'customers:read',
  channels: ['rest', 'console'],
  http: { method: 'get', path: '/customers/{customerId}/subscriptions', group: 'Plans' },
  input: ListSubscriptions,
  output: SubscriptionPage,
  async handle({ db }, { partnerId }, { customerId, ...page }) {
    const customer = await getCustomer(db, partnerId, customerId)
    const own = subscriptionsOf(db, customer)
    // The one in force comes first also where it began in the same millisecond as the one before ended.
    const newest = own
      .selectAll()
      .orderBy('createdAt', 'desc')
      .orderBy((eb) => eb('endedAt', 'is not', null))
    const { rows, pagination } = await pageOfRows(page, newest.orderBy('id'), own)
    const { currency } = await billingTermsOf(db, partnerId)
    const data = rows.map((row) => ({
      ...row,
      subscriptionId: row.id,
      price: fromMicros(row.endedAt === null ? priceOf(row, customer) : (row.periodPriceMicros ?? 0)),
      currency,
      nextChargeAt: row.dueAt
    }))
    return { data, pagination }
  }
})
