// The parts of the memory that know meaning, on a gateway of our own.

import type { Embedder } from '../../../src/llm/model.ts'
import { openModels } from '../../../src/llm/open.ts'
import {
  type OpenSearcher,
  openSearch,
  vectorModelOf
} from '../../../src/memory/embedded/embeddings/searcher.ts'
import { unpackBlock } from '../../../src/memory/embedded/embeddings/vector.ts'
import { embeddingWork } from '../../../src/memory/embedded/embeddings/work.ts'
import { createEmbeddedEngine } from '../../../src/memory/embedded-engine.ts'
import type { MemoryEngine } from '../../../src/memory/engine.ts'
import { startMindWork } from '../../../src/memory/jobs/worker.ts'
import type { Service } from '../../../src/service.ts'
import { LLM_KEY, type LlmStandIn } from '../../support/ai/llm.ts'

const PATIENT_MS = 60_000

/** What the service is configured with; the stand-in's vectors of so many numbers hardly ever agree by chance. */
export const embeddingEnv = (llm: LlmStandIn): Record<string, string> => ({
  LLM_URL: llm.url,
  LLM_KEY,
  EMBEDDING_MODEL: 'meaning-1',
  EMBEDDING_DIMENSIONS: '512'
})

export interface Meaning {
  engine: MemoryEngine
  openSearcher: OpenSearcher
  /** Gives vectors to whatever is due, and resolves when nothing due is left. */
  fill(): Promise<void>
}

interface MeaningOptions {
  embeddingModel?: string
  /** Without it a question waits for its vector as briefly as it really does, which a busy machine may outlast. */
  isPatient?: boolean
}

/** With a circuit breaker of its own, as after a start of the service; with another model, as after a change of it. */
export function meaningOf(
  { config, database, log }: Service,
  { embeddingModel = 'meaning-1', isPatient = true }: MeaningOptions = {}
): Meaning {
  const { embedder } = openModels({ ...config.models, embeddingModel })
  if (!embedder) throw new Error('The service is configured without a gateway')
  const patient: Embedder = {
    ...embedder,
    embed: (texts, options) => embedder.embed(texts, { ...options, timeoutMs: PATIENT_MS })
  }
  const model = vectorModelOf(isPatient ? patient : embedder, config.models.embeddingDimensions)
  const work = embeddingWork(model)
  const openSearcher = openSearch(model)
  return {
    engine: createEmbeddedEngine({ queues: [work], openSearcher }),
    openSearcher,
    async fill() {
      const worker = startMindWork({ database, log, lookMs: 60_000 }, work)
      await worker.drain()
      await worker.stop()
    }
  }
}

/** The memories of a Mind that have a vector. */
export async function seqsWithVector({ database }: Service, mindKey: number): Promise<number[]> {
  const rows = await database.read
    .selectFrom('embedding')
    .where('mindKey', '=', mindKey)
    .select(['block', 'vectors'])
    .execute()
  const seqs = rows.flatMap(({ block, vectors }) => [...unpackBlock(block, vectors).keys()])
  return seqs.sort((a, b) => a - b)
}
