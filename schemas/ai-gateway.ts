import { z } from 'zod'
import { data } from './envelope.ts'
import { Instance, InstancePath } from './instance.ts'
import { CustomerId, said, told } from './primitives.ts'
import { Day } from './usage.ts'

/** Files of the operator's account and films cost what nobody can know before. */
const Part = z.looseObject({ type: z.enum(['text', 'image_url', 'input_audio', 'refusal']) })

/**
 * What the AI gateway reads of a chat completion request; the rest is between the agent and the model.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const ChatCompletionRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.looseObject({ content: z.union([z.string(), z.array(Part)]).nullish() })).min(1),
  // Each answer is paid for.
  n: z.int().min(1).max(4).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  // Others, such as searches, are the provider's own and cost more than tokens.
  tools: z.array(z.looseObject({ type: z.enum(['function', 'custom']) })).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish()
})

export const GetAiUsage = z.strictObject({ customerId: CustomerId.optional() })

/** Tokens of one day or month in UTC, with those that calls under way may still use; `budget` is null for no limit. */
const UsedTokens = z
  .object({
    tokens: told.count('Used in prompts and answers, with what calls under way may use.', 482_913),
    budget: told.count('Most tokens that may be used; null for no limit.', 20_000_000).nullable(),
    endsAt: told.time('When it begins anew.', '2026-01-16T00:00:00.000Z')
  })
  .meta({ id: 'UsedTokens' })
const Usage = z.object({
  today: said(UsedTokens, 'The day in UTC.'),
  month: said(UsedTokens, 'The month in UTC.')
})

export const AiUsageResult = z.object({
  data: data(
    Usage.extend({
      servers: said(
        z.array(Usage.extend({ instanceId: Instance.shape.instanceId })),
        'Of one customer: what each agent’s key used that is alive.'
      )
    })
  )
})

export const GetAgentUsage = InstancePath.extend({
  from: said(Day, 'First day in UTC; 30 days unless given.', '2026-01-01').optional(),
  to: said(Day, 'Last day in UTC; today unless given.', '2026-01-31').optional()
})

const sums = {
  calls: told.count('Calls that were passed on to a model.', 120),
  failed: told.count('Those that didn’t end with an answer, or that the agent left.', 2),
  inputTokens: told.count('What models read.', 482_913),
  outputTokens: told.count('What they wrote.', 20_114),
  untold: told.count('Calls whose tokens the provider didn’t tell; what they took is in no figure.', 1),
  cost: told
    .amount(
      'Of these tokens in US dollars, at the prices as they are set now; null where a model has none.',
      0.16
    )
    .nullable()
}
const ofModel = z.object({ model: told.text('Never `auto`.', 'gpt-5-mini'), ...sums })
const models = said(z.array(ofModel), 'Each model that was called on it.')
const AgentDay = z.object({ day: said(Day, 'The day in UTC.', '2026-01-15'), ...sums, models })

export const AgentUsage = z
  .object({
    isMetered: told.flag('False with LiteLLM: its own records tell, and nothing is seen here.', true),
    total: said(z.object(sums), 'Of all days.'),
    days: said(z.array(AgentDay), 'Each day, the first one first.')
  })
  .meta({ id: 'AgentUsage' })
export type AgentUsage = z.output<typeof AgentUsage>

export const AgentUsageResult = z.object({ data: data(AgentUsage) })
