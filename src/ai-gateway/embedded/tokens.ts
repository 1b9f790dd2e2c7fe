import { z } from 'zod'

export interface Tokens {
  promptTokens: number | null
  completionTokens: number | null
}

export const NO_TOKENS: Tokens = { promptTokens: null, completionTokens: null }

const count = z.int().nonnegative().max(1_000_000_000).nullable().catch(null)
const Answer = z.object({
  usage: z.object({ prompt_tokens: count, completion_tokens: count, total_tokens: count.optional() })
})

/** What an answer, or the last event of one, says that it used. */
export function tokensOf(answer: unknown): Tokens {
  const { data } = Answer.safeParse(answer)
  if (!data) return NO_TOKENS
  const { prompt_tokens: promptTokens, completion_tokens: answered, total_tokens: total } = data.usage
  if (promptTokens === null || answered === null) return { promptTokens, completionTokens: answered }
  // Some leave what a model reasoned out of the answer's tokens, and bill it all the same.
  return { promptTokens, completionTokens: Math.max(answered, (total ?? 0) - promptTokens) }
}

/** Both together, where both were told. */
export const totalOf = ({ promptTokens, completionTokens }: Tokens): number | undefined =>
  promptTokens === null || completionTokens === null ? undefined : promptTokens + completionTokens
