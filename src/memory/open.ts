// The memory as it is configured: which engine, and the work that goes on behind its Minds.
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { afterCommit } from '../database/guard.ts'
import { startDeleting } from '../jobs/deleter.ts'
import type { Looker } from '../jobs/looker.ts'
import { type Models, openModels } from '../llm/open.ts'
import type { Log } from '../log.ts'
import type { ThreadPool } from '../threads/pool.ts'
import { createConsolidation } from './embedded/consolidation/consolidate.ts'
import { openSearch, vectorModelOf } from './embedded/embeddings/searcher.ts'
import { embeddingWork } from './embedded/embeddings/work.ts'
import { createEmbeddedEngine } from './embedded-engine.ts'
import type { MemoryEngine } from './engine.ts'
import { deleteForgotten } from './forgotten-minds.ts'
import { type Honcho, openHoncho } from './honcho/api.ts'
import { createHonchoEngine } from './honcho/engine.ts'
import { forwardWork } from './honcho/forward.ts'
import { type RemovalWorker, startRemovals } from './honcho/removal-worker.ts'
import { withRemovals } from './honcho/removals.ts'
import type { MindWork } from './jobs/work.ts'
import { type MindWorker, startMindWork } from './jobs/worker.ts'

export interface Memory {
  engine: MemoryEngine
  start(): void
  stop(): Promise<void>
}

export function openMemory(config: Config, database: Database, log: Log, threads: ThreadPool): Memory {
  const { engine, works, honcho } = partsOf(config, database, log, threads)
  let workers: (MindWorker | RemovalWorker)[] = []
  let forgottenMinds: Looker | undefined
  return {
    engine: {
      ...engine,
      async forgetMind(tx, mindKey) {
        await engine.forgetMind(tx, mindKey)
        afterCommit(() => forgottenMinds?.wake())
      }
    },
    start() {
      forgottenMinds = startDeleting((stopping) => deleteForgotten(database, stopping), log)
      workers = works.map((work) => startMindWork({ database, log }, work))
      if (honcho) workers.push(startRemovals({ database, log, honcho }))
    },
    async stop() {
      await Promise.all([forgottenMinds, ...workers].map((worker) => worker?.stop()))
    }
  }
}

export const memoryEngineOf = (config: Config, database: Database): MemoryEngine =>
  partsOf(config, database).engine

interface Parts {
  engine: MemoryEngine
  works: readonly MindWork[]
  honcho: Honcho | undefined
}

function partsOf(config: Config, database: Database, log?: Log, threads?: ThreadPool): Parts {
  const works: MindWork[] = []
  const honcho = config.honcho.server && openHoncho(config.honcho.server)
  const forwarded = config.honcho.isEngine ? honcho : undefined
  if (forwarded) works.push(forwardWork(forwarded, database))
  const { models, memoryDeadlineMs: deadlineMs } = config
  // Each opening has breakers of its own: what is hard to read in the background keeps nobody's question from an answer.
  const openOwn = (): Partial<Models> => (forwarded ? {} : openModels(models, log))
  const [asked, background] = [openOwn(), openOwn()]
  const vectorsOf = ({ embedder }: Partial<Models>) =>
    embedder && vectorModelOf(embedder, models.embeddingDimensions)
  const vectors = vectorsOf(background)
  if (vectors) works.push(embeddingWork(vectors))
  if (background.model)
    works.push(createConsolidation({ database, model: background.model, log, settings: models }))
  const openSearcher = openSearch(vectorsOf(asked))
  const answering = asked.model && { model: asked.model, deadlineMs }
  const local = withRemovals(createEmbeddedEngine({ queues: works, threads, openSearcher, answering }))
  return { engine: forwarded ? createHonchoEngine(local, forwarded) : local, works, honcho }
}
