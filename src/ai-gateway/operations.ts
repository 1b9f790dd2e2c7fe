import { AiUsageResult, GetAiUsage } from '../../schemas/ai-gateway.ts'
import { getCustomer } from '../customers/store.ts'
import { defineOperation } from '../operation.ts'
import { readSpending } from './embedded/spending.ts'

export const getAiUsage = defineOperation({
  name: 'ai_usage',
  title: 'Get the AI usage',
  summary:
    'Returns the tokens that your customers’ agents used today and this month, all of them or one customer’s, beside their budgets.',
  scope: 'credits:read',
  channels: ['rest', 'console'],
  http: { method: 'get', path: '/ai-usage', group: 'Credits' },
  input: GetAiUsage,
  output: AiUsageResult,
  async handle({ db, config }, { partnerId }, { customerId: reference }) {
    const customer = reference === undefined ? undefined : await getCustomer(db, partnerId, reference)
    return { data: await readSpending(db, config.aiGateway, partnerId, customer?.id) }
  }
})
