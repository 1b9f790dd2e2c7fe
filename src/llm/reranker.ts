import { z } from 'zod'
import { tokensAtMost } from '../memory/token-budget.ts'
import { count } from './completion.ts'
import { ownFault } from './fault.ts'
import type { Reranker } from './model.ts'
import { type ModelAccess, openRequests } from './requests.ts'

const MAX_TEXTS = 50
/** Of one text; small models read no more than 512 tokens of it. */
const MAX_LENGTH = 1_000

/** As Cohere, Jina, LiteLLM and vLLM answer; some count all tokens, some only what was handed over, some nothing. */
const Answer = z.object({
  results: z.array(z.object({ index: z.number().int(), relevance_score: z.number() })),
  usage: z.object({ total_tokens: count }).nullish().catch(undefined)
})

export function createReranker(access: ModelAccess, price: number): Reranker {
  const { name } = access
  const request = openRequests(access, { input: price, output: 0 })
  return {
    name,
    maxTexts: MAX_TEXTS,
    async rerank(query, texts, bounds) {
      const [asked = '', ...documents] = [query, ...texts.slice(0, MAX_TEXTS)].map(shortened)
      const body = { model: name, query: asked, documents }
      const estimated = [asked, ...documents].reduce((sum, text) => sum + tokensAtMost(text), 0)
      const { value: scores, usage } = await request(bounds, async (call) => {
        const { data } = await call(
          { top_n: documents.length },
          async (client, spoken, signal) =>
            Answer.safeParse(await client.post<unknown>('/rerank', { body: { ...body, ...spoken }, signal })),
          (answer) => ({ inputTokens: answer?.data?.usage?.total_tokens ?? estimated, outputTokens: 0 })
        )
        return scoresOf(data?.results ?? [], documents.length)
      })
      return { scores, usage }
    }
  }
}

const shortened = (text: string): string => text.slice(0, MAX_LENGTH).toWellFormed()

/** Of each text, in their order; 0 where a gateway keeps the worst to itself. */
function scoresOf(results: z.output<typeof Answer>['results'], texts: number): number[] {
  const given = new Map(results.map(({ index, relevance_score }) => [index, relevance_score]))
  const isUsable = [...given.keys()].every((index) => index >= 0 && index < texts)
  if (given.size === 0 || given.size < results.length || !isUsable) throw ownFault('malformed')
  // Some models give what others make a likelihood of.
  const areLogits = [...given.values()].some((score) => score < 0 || score > 1)
  return Array.from({ length: texts }, (_, index) => {
    const score = given.get(index)
    return score === undefined ? 0 : areLogits ? 1 / (1 + Math.exp(-score)) : score
  })
}
