// A model that turns texts into vectors, at an OpenAI-compatible gateway.
import type OpenAI from 'openai'
import { z } from 'zod'
import { fitTexts, tokensAtMost } from '../memory/token-budget.ts'
import type { Breaker } from './breaker.ts'
import { type Deadline, openDeadline } from './deadline.ts'
import { createDialect, type Dialect } from './dialect.ts'
import { CallFault, ownFault } from './fault.ts'
import { callThrough, mayCost } from './gateway.ts'
import { type Embedder, ModelError } from './model.ts'
import { addUsage, noUsage } from './usage.ts'

const MAX_TEXTS = 64
/** Of one text; most models take 8,192. */
const MAX_TEXT_TOKENS = 8_000
const MAX_DIMENSIONS = 4_096

interface Settings {
  client: OpenAI
  breaker: Breaker
  name: string
  timeoutMs: number
  /** 0 for as many as the model gives. */
  dimensions: number
  /** Of a million tokens. */
  price: number
}

const Answer = z.object({
  data: z.array(
    z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS) })
  ),
  usage: z
    .object({ prompt_tokens: z.number().int().nonnegative().max(100_000_000) })
    .nullish()
    .catch(undefined)
})

export function createEmbedder(settings: Settings): Embedder {
  const { name } = settings
  const dialect = createDialect()
  return {
    name,
    maxTexts: MAX_TEXTS,
    async embed(texts, { purpose, timeoutMs, signal }) {
      const deadline = openDeadline(Math.min(settings.timeoutMs, timeoutMs), signal)
      let usage = noUsage(purpose)
      const count = (inputTokens: number) => {
        const costMicros = Math.ceil(inputTokens * settings.price)
        usage = addUsage(usage, { purpose, calls: 1, inputTokens, outputTokens: 0, costMicros })
      }
      try {
        const vectors: Float32Array[] = []
        for (let start = 0; start < texts.length; start += MAX_TEXTS) {
          const batch = texts.slice(start, start + MAX_TEXTS)
          vectors.push(...(await embedBatch({ ...settings, dialect, deadline, count }, batch)))
        }
        requireOneDimension(vectors)
        return { vectors, usage }
      } catch (error) {
        if (!(error instanceof CallFault)) throw error
        throw new ModelError(error.fault, usage, { retryAfterSeconds: error.retryAfterSeconds })
      } finally {
        deadline.close()
      }
    }
  }
}

interface Embedding extends Settings {
  dialect: Dialect
  deadline: Deadline
  count(inputTokens: number): void
}

async function embedBatch(
  { client, breaker, name, dimensions, dialect, deadline, count }: Embedding,
  texts: readonly string[]
): Promise<Float32Array[]> {
  const input = texts.map((text) => fitTexts([text], MAX_TEXT_TOKENS).join(''))
  const wanted = { encoding_format: 'float', ...(dimensions > 0 ? { dimensions } : {}) }
  const estimated = Math.ceil(input.reduce((sum, text) => sum + tokensAtMost(text), 0))
  const answer = await dialect
    .speak(wanted, (spoken) =>
      callThrough(breaker, deadline, async (signal) =>
        // Not the client's own method: without an encoding_format it would ask for base64.
        Answer.safeParse(
          await client.post<unknown>('/embeddings', { body: { model: name, input, ...spoken }, signal })
        )
      )
    )
    .catch((error: unknown) => {
      if (error instanceof CallFault && mayCost(error)) count(estimated)
      throw error
    })
  count(answer.data?.usage?.prompt_tokens ?? estimated)
  const byIndex = new Map(answer.data?.data.map(({ index, embedding }) => [index, embedding]))
  return input.map((_, index) => normalised(byIndex.get(index) ?? []))
}

/** Of length 1. */
function normalised(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector)
  if (!(length > 0 && Number.isFinite(length))) throw ownFault('malformed')
  return Float32Array.from(vector, (value) => value / length)
}

function requireOneDimension(vectors: readonly Float32Array[]): void {
  if (new Set(vectors.map(({ length }) => length)).size > 1) throw ownFault('malformed')
}
