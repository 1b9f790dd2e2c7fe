import { ListSubscriptions, SubscriptionPage } from '../../schemas/subscription.ts'
import { getCustomer } from '../customers/store.ts'
import { defineOperation, READS } from '../operation.ts'
import { pageOfSubscriptions } from './store.ts'

export const listSubscriptions = defineOperation({
  name: 'subscription_list',
  title: 'List a customer’s subscriptions',
  summary: 'Returns the plan that the customer has and those that it had, newest first, with what they cost.',
  scope: 'customers:read',
  channels: ['rest', 'console'],
  http: { method: 'get', path: '/customers/{customerId}/subscriptions', group: 'Plans' },
  input: ListSubscriptions,
  output: SubscriptionPage,
  annotations: READS,
  async handle({ db }, { partnerId }, { customerId, ...page }) {
    return pageOfSubscriptions(db, await getCustomer(db, partnerId, customerId), page)
  }
})
