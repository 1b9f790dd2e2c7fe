import { z } from 'zod'
import { bearerKey, env, httpUrl, optional, type Settled, wholeNumber } from '../config-values.ts'

const price = z.preprocess(
  (value) => (value === '' || value === undefined ? 0 : Number(value)),
  z.number('must be a number').min(0).max(1_000_000)
)

/** Less leaves no room for memories beside the instructions. */
const LEAST_INPUT_TOKENS = 8_000

export const modelVariables = {
  url: env('LLM_URL', optional(httpUrl)).describe(
    'OpenAI-compatible base URL, with its /v1, of the gateway whose models consolidate memories, answer, embed and rerank.'
  ),
  key: env('LLM_KEY', optional(bearerKey)).describe('Key for LLM_URL; it never leaves this service.'),
  model: env('LLM_MODEL', optional(z.string())).describe(
    'Model that consolidates memories and answers questions; without it both work by words alone.'
  ),
  embeddingModel: env('EMBEDDING_MODEL', optional(z.string())).describe(
    'Model at LLM_URL that turns memories into vectors, so that they are found by meaning, too.'
  ),
  embeddingDimensions: env('EMBEDDING_DIMENSIONS', wholeNumber(0, 4_096)).describe(
    'Length of vectors to ask EMBEDDING_MODEL for; 0 takes what it gives.'
  ),
  rerankModel: env('RERANK_MODEL', optional(z.string())).describe(
    'Model behind LLM_URL’s /rerank that says how well what was found answers a question.'
  ),
  timeoutMs: env('LLM_TIMEOUT_MS', wholeNumber(60_000, 600_000, 1)).describe(
    'Longest wait for one answer of a model, in milliseconds; within an Ask MEMORY_DEADLINE_MS ends it earlier.'
  ),
  maxInputTokens: env('LLM_INPUT_TOKENS', wholeNumber(24_000, 1_000_000, LEAST_INPUT_TOKENS)).describe(
    'Most tokens that one call hands to LLM_MODEL, at least 8000.'
  ),
  askTokens: env('ASK_TOKENS', wholeNumber(6_000, 300_000, 500)).describe(
    'About as many tokens of memories as LLM_MODEL reads for an answer, within LLM_INPUT_TOKENS; twice above standard.'
  ),
  concurrency: env('LLM_CONCURRENCY', wholeNumber(2, 100, 1)).describe(
    'Minds that one process consolidates at once.'
  ),
  /** Of a million tokens. */
  prices: {
    input: env('LLM_INPUT_PRICE', price).describe(
      'Price of a million tokens handed to LLM_MODEL, for the cost that the console shows.'
    ),
    output: env('LLM_OUTPUT_PRICE', price).describe('Price of a million tokens that LLM_MODEL writes.'),
    embedding: env('EMBEDDING_PRICE', price).describe('Price of a million tokens handed to EMBEDDING_MODEL.'),
    rerank: env('RERANK_PRICE', price).describe('Price of a million tokens handed to RERANK_MODEL.')
  },
  consolidateAfter: env('CONSOLIDATE_AFTER', wholeNumber(20, 100, 1)).describe(
    'Waiting memories of a Mind that are consolidated at once.'
  ),
  consolidateAgeMs: env('CONSOLIDATE_AGE_MS', wholeNumber(300_000, 86_400_000)).describe(
    'How long a memory waits for others before it is consolidated, in milliseconds.'
  )
}

export type ModelSettings = ReturnType<typeof modelSettingsOf>

/** @param complain throws for a variable that is missing */
export function modelSettingsOf(
  { url, key, ...settings }: Settled<typeof modelVariables>,
  complain: (problem: string) => never
) {
  if (!url && settings.model) complain('LLM_URL: is needed with LLM_MODEL')
  if (!url && settings.embeddingModel) complain('LLM_URL: is needed with EMBEDDING_MODEL')
  if (!url && settings.rerankModel) complain('LLM_URL: is needed with RERANK_MODEL')
  return { ...settings, gateway: url ? { url, key } : undefined }
}
