// The part of the environment that says which language model understands memories, if any.
import { z } from 'zod'
import { bearerKey, httpUrl, optional, wholeNumber } from '../config-values.ts'

const price = z.preprocess(
  (value) => (value === '' || value === undefined ? 0 : Number(value)),
  z.number('must be a number').min(0).max(1_000_000)
)

/** Less leaves no room for memories beside the instructions. */
const LEAST_INPUT_TOKENS = 8_000

export const modelVariables = {
  LLM_URL: optional(httpUrl).describe(
    'OpenAI-compatible base URL, with its /v1, of the gateway whose models consolidate memories, answer and embed.'
  ),
  LLM_KEY: optional(bearerKey).describe('Key for LLM_URL; it never leaves this service.'),
  LLM_MODEL: optional(z.string()).describe(
    'Model that consolidates memories and answers questions; without it both work by words alone.'
  ),
  EMBEDDING_MODEL: optional(z.string()).describe(
    'Model at LLM_URL that turns memories into vectors, so that they are found by meaning, too.'
  ),
  EMBEDDING_DIMENSIONS: wholeNumber(0, 4_096).describe(
    'Length of vectors to ask EMBEDDING_MODEL for; 0 takes what it gives.'
  ),
  LLM_TIMEOUT_MS: wholeNumber(60_000, 600_000).describe(
    'Longest wait for one answer of a model, in milliseconds; within an Ask MEMORY_DEADLINE_MS ends it earlier.'
  ),
  LLM_INPUT_TOKENS: wholeNumber(24_000, 1_000_000).describe(
    'Most tokens that one call hands to LLM_MODEL, at least 8000.'
  ),
  LLM_CONCURRENCY: wholeNumber(2, 100).describe('Minds that one process consolidates at once.'),
  LLM_INPUT_PRICE: price.describe(
    'Price of a million tokens handed to LLM_MODEL, for the cost that the console shows.'
  ),
  LLM_OUTPUT_PRICE: price.describe('Price of a million tokens that LLM_MODEL writes.'),
  EMBEDDING_PRICE: price.describe('Price of a million tokens handed to EMBEDDING_MODEL.'),
  CONSOLIDATE_AFTER: wholeNumber(20, 100).describe(
    'Waiting memories of a Mind that are consolidated at once.'
  ),
  CONSOLIDATE_AGE_MS: wholeNumber(300_000, 86_400_000).describe(
    'How long a memory waits for others before it is consolidated, in milliseconds.'
  )
}

export interface ModelSettings {
  /** `undefined` without LLM_URL. */
  gateway: { url: string; key: string | undefined } | undefined
  /** `undefined` where no model consolidates and answers. */
  model: string | undefined
  embeddingModel: string | undefined
  /** 0 for as many as the model gives. */
  embeddingDimensions: number
  timeoutMs: number
  maxInputTokens: number
  concurrency: number
  /** Of a million tokens. */
  prices: { input: number; output: number; embedding: number }
  consolidateAfter: number
  consolidateAgeMs: number
}

type Variables = z.output<z.ZodObject<typeof modelVariables>>

/** @param complain throws for a variable that is missing */
export function modelSettingsOf(variables: Variables, complain: (problem: string) => never): ModelSettings {
  const { LLM_URL, LLM_KEY, LLM_MODEL, EMBEDDING_MODEL } = variables
  if (!LLM_URL && LLM_MODEL) complain('LLM_URL: is needed with LLM_MODEL')
  if (!LLM_URL && EMBEDDING_MODEL) complain('LLM_URL: is needed with EMBEDDING_MODEL')
  return {
    gateway: LLM_URL ? { url: LLM_URL, key: LLM_KEY } : undefined,
    model: LLM_MODEL,
    embeddingModel: EMBEDDING_MODEL,
    embeddingDimensions: variables.EMBEDDING_DIMENSIONS,
    timeoutMs: Math.max(1, variables.LLM_TIMEOUT_MS),
    maxInputTokens: Math.max(LEAST_INPUT_TOKENS, variables.LLM_INPUT_TOKENS),
    concurrency: Math.max(1, variables.LLM_CONCURRENCY),
    prices: {
      input: variables.LLM_INPUT_PRICE,
      output: variables.LLM_OUTPUT_PRICE,
      embedding: variables.EMBEDDING_PRICE
    },
    consolidateAfter: Math.max(1, variables.CONSOLIDATE_AFTER),
    consolidateAgeMs: variables.CONSOLIDATE_AGE_MS
  }
}
