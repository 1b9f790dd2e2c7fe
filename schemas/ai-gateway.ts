import { z } from 'zod'

/**
 * What the AI gateway reads of a chat completion request; the rest is between the agent and the model.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const ChatCompletionRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.unknown()).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish()
})
