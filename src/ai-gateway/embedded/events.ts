import { z } from 'zod'
import { jsonIn } from '../../json-shape.ts'
import type { Cap } from '../../net/capped.ts'
import { unusable } from './fault.ts'

/** A picture in one event is the most that there is. */
export const EVENTS: Cap = { maxBytes: 8 * 1_048_576, refusal: unusable }

export const isLast = (event: Buffer): boolean => /^data: ?\[DONE\]\s*$/.test(event.toString('utf8', 0, 32))

const Chunk = z.looseObject({ choices: z.array(z.unknown()).optional(), usage: z.looseObject({}) })

/** The JSON of an event that tells of usage, whose `choices` are empty where it tells of nothing else. */
export function usageEvent(event: Buffer) {
  // Most events don't, or say `null`: they aren't worth parsing.
  if (!event.includes('"usage"') || event.includes('"usage":null')) return undefined
  const payload = event
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length))
    .join('\n')
  return Chunk.safeParse(jsonIn(payload)).data
}

/** `null` where the upstream didn't say, as for a call that was broken off. */
export type Tokens = Record<'promptTokens' | 'completionTokens', number | null>

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

export const totalOf = ({ promptTokens, completionTokens }: Tokens): number | undefined =>
  promptTokens === null || completionTokens === null ? undefined : promptTokens + completionTokens
