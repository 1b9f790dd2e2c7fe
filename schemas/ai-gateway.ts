import { z } from 'zod'

/**
 * What the AI gateway reads of a chat completion request; the rest is between the agent and the model.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const ChatCompletionRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.unknown()).min(1),
  // Each answer is paid for.
  n: z.int().min(1).max(4).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  // Others, such as searches, are the provider's own and cost more than tokens.
  tools: z.array(z.looseObject({ type: z.enum(['function', 'custom']) })).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish()
})
