import { AgentUsageResult, AiUsageResult, GetAgentUsage, GetAiUsage } from '../../schemas/ai-gateway.ts'
import { getCustomer } from '../customers/store.ts'
import { getInstance } from '../instances/store.ts'
import { defineOperation } from '../operation.ts'
import { daysAsked } from '../usage/span.ts'
import { readSpending } from './embedded/spending.ts'
import { agentUsageOn } from './embedded/usage.ts'

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

export const getAgentUsage = defineOperation({
  name: 'instance_usage',
  title: 'Get an agent’s usage',
  summary: 'Returns what a server’s agent used of models by day: calls, tokens and their cost.',
  scope: 'credits:read',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'get', path: '/instances/{instanceId}/cli-agent/usage', group: 'Instances' },
  input: GetAgentUsage,
  output: AgentUsageResult,
  async handle({ db, config: { aiGateway } }, { partnerId }, { instanceId, ...asked }) {
    const instance = await getInstance(db, partnerId, instanceId)
    return { data: await agentUsageOn(db, instance, daysAsked(asked, 'UTC'), aiGateway) }
  }
})
