// How the bench finds: by words, or also by what an embedding model knows.
import { openModels } from '../src/llm/open.ts'
import { type OpenSearcher, openSearch, vectorModelOf } from '../src/memory/embedded/embeddings/searcher.ts'
import { embeddingWork } from '../src/memory/embedded/embeddings/work.ts'
import { startMindWork } from '../src/memory/jobs/worker.ts'
import type { Service } from '../src/service.ts'

export interface Finding {
  openSearcher: OpenSearcher
  /** Gives every memory its vector that has none yet. */
  fill(): Promise<void>
}

export const byWords: Finding = { openSearcher: openSearch(), fill: async () => undefined }

/** @throws Error without an embedding model in the service's configuration */
export function byMeaning({ config, database, log }: Service): Finding {
  const { embedder } = openModels(config.models)
  if (!embedder) throw new Error('--embeddings needs LLM_URL and EMBEDDING_MODEL')
  const model = vectorModelOf(embedder, config.models.embeddingDimensions)
  return {
    openSearcher: openSearch(model),
    async fill() {
      const worker = startMindWork({ database, log }, embeddingWork(model))
      await worker.drain()
      await worker.stop()
    }
  }
}
