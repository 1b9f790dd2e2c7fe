import { z } from 'zod'
import { CustomerId, StoredTimestamp } from './primitives.ts'

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
  .object({ tokens: z.int(), budget: z.int().nullable(), endsAt: StoredTimestamp })
  .meta({ id: 'UsedTokens' })
const Usage = z.object({ today: UsedTokens, month: UsedTokens })

export const AiUsageResult = z.object({
  data: Usage.extend({ servers: z.array(Usage.extend({ instanceId: z.string() })) })
})
