// The models of a stand-in's gateway, and a question to them.
import { z } from 'zod'
import { openModels } from '../../src/llm/open.ts'
import type { ModelSettings } from '../../src/llm/variables.ts'
import type { Log } from '../../src/log.ts'
import { LLM_KEY, type LlmStandIn } from '../support/ai/llm.ts'

export function modelsAt({ url }: LlmStandIn, settings: Partial<ModelSettings> = {}, log?: Log) {
  const { model, embedder, reranker } = openModels(
    {
      gateway: { url, key: LLM_KEY },
      ...{ model: 'wise-1', embeddingModel: 'near-1', embeddingDimensions: 0, rerankModel: 'sorts-1' },
      ...{ timeoutMs: 60_000, maxInputTokens: 24_000, askTokens: 6_000, concurrency: 2 },
      prices: { input: 2, output: 10, embedding: 0.5, rerank: 1 },
      ...{ consolidateAfter: 20, consolidateAgeMs: 300_000 },
      ...settings
    },
    log
  )
  if (!model || !embedder || !reranker) throw new Error('All models are configured')
  return { model, embedder, reranker }
}

/** Of a boat, and how it is called. */
export const question = {
  purpose: 'ask',
  system: 'You name boats.',
  user: 'A boat of oak.',
  answer: { name: 'boat', schema: z.object({ name: z.string().min(1), isOld: z.boolean() }) },
  maxOutputTokens: 100,
  timeoutMs: 20_000
} as const

export const NAUTILUS = { name: 'Nautilus', isOld: true }
