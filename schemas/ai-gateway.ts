import { z } from 'zod'
import { data } from './envelope.ts'
import { Instance } from './instance.ts'
import { CustomerId, StoredTimestamp, said } from './primitives.ts'

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
    tokens: said(z.int(), 'Used in prompts and answers, with what calls under way may use.', 482_913),
    budget: said(z.int(), 'Most tokens that may be used; null for no limit.', 20_000_000).nullable(),
    endsAt: said(StoredTimestamp, 'When it begins anew.', '2026-01-16T00:00:00.000Z')
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
