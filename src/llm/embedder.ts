import { z } from 'zod'
import { fitTexts, tokensAtMost } from '../memory/token-budget.ts'
import { count } from './completion.ts'
import { ownFault } from './fault.ts'
import type { Embedder } from './model.ts'
import { type Call, type ModelAccess, openRequests } from './requests.ts'

const MAX_TEXTS = 64
/** Of one text; most models take 8,192. */
const MAX_TEXT_TOKENS = 8_000
const MAX_DIMENSIONS = 4_096

const Answer = z.object({
  data: z.array(
    z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS) })
  ),
  usage: z.object({ prompt_tokens: count }).nullish().catch(undefined)
})

export function createEmbedder(access: ModelAccess, dimensions: number, price: number): Embedder {
  const { name } = access
  const request = openRequests(access, { input: price, output: 0 })
  const wanted = { encoding_format: 'float', ...(dimensions > 0 ? { dimensions } : {}) }

  async function embedBatch(call: Call, texts: readonly string[]): Promise<Float32Array[]> {
    const input = texts.map((text) => fitTexts([text], MAX_TEXT_TOKENS).join(''))
    const estimated = Math.ceil(input.reduce((sum, text) => sum + tokensAtMost(text), 0))
    const { data } = await call(
      wanted,
      // Not the client's own method: without an encoding_format it would ask for base64.
      async (client, spoken, signal) =>
        Answer.safeParse(
          await client.post<unknown>('/embeddings', { body: { model: name, input, ...spoken }, signal })
        ),
      (answer) => ({ inputTokens: answer?.data?.usage?.prompt_tokens ?? estimated, outputTokens: 0 })
    )
    const byIndex = new Map(data?.data.map(({ index, embedding }) => [index, embedding]))
    return input.map((_, index) => normalised(byIndex.get(index) ?? []))
  }

  return {
    name,
    maxTexts: MAX_TEXTS,
    async embed(texts, bounds) {
      const { value: vectors, usage } = await request(bounds, async (call) => {
        const embedded: Float32Array[] = []
        for (let start = 0; start < texts.length; start += MAX_TEXTS)
          embedded.push(...(await embedBatch(call, texts.slice(start, start + MAX_TEXTS))))
        requireOneDimension(embedded)
        return embedded
      })
      return { vectors, usage }
    }
  }
}

function normalised(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector)
  if (!(length > 0 && Number.isFinite(length))) throw ownFault('malformed')
  return Float32Array.from(vector, (value) => value / length)
}

function requireOneDimension(vectors: readonly Float32Array[]): void {
  if (new Set(vectors.map(({ length }) => length)).size > 1) throw ownFault('malformed')
}
