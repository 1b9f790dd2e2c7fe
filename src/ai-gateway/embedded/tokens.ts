import { z } from 'zod'

export interface Tokens {
  promptTokens: number | null
  completionTokens: number | null
}

export const NO_TOKENS: Tokens = { promptTokens: null, completionTokens: null }

const count = z.int().nonnegative().max(1_000_000_000).nullable().catch(null)
const Answer = z.object({ usage: z.object({ prompt_tokens: count, completion_tokens: count }) })

/** What an answer, or the last event of one, says that it used. */
export function tokensOf(answer: unknown): Tokens {
  const { data } = Answer.safeParse(answer)
  if (!data) return NO_TOKENS
  return { promptTokens: data.usage.prompt_tokens, completionTokens: data.usage.completion_tokens }
}

/** Both together, where both were told. */
export const totalOf = ({ promptTokens, completionTokens }: Tokens): number | undefined =>
  promptTokens === null || completionTokens === null ? undefined : promptTokens + completionTokens
