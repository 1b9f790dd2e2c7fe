// The embedded engine in its place in the service: what it stores waits for work, and questions take turns.
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { type Models, openModels } from '../llm/open.ts'
import type { Log } from '../log.ts'
import { nextTurn } from '../slices.ts'
import type { ThreadPool } from '../threads/pool.ts'
import { createConsolidation } from './embedded/consolidation/consolidate.ts'
import { openSearch, type ShareOf, vectorModelOf } from './embedded/embeddings/searcher.ts'
import { embeddingWork } from './embedded/embeddings/work.ts'
import { createEngine, type EngineParts } from './embedded/engine.ts'
import type { MemoryEngine } from './engine.ts'
import { type MindQueue, queueMemory } from './jobs/queue.ts'
import { forgetFailures } from './jobs/store.ts'
import type { MindWork } from './jobs/work.ts'

/** The engine with the models that are set, and the work that these do behind its Minds. */
export function openEmbedded(config: Config, database: Database, log?: Log, threads?: ThreadPool) {
  const { models, memoryDeadlineMs: deadlineMs } = config
  // Each opening has breakers of its own: what is hard to read in the background keeps nobody's question from an answer.
  const [asked, background] = [openModels(models, log), openModels(models, log)]
  const vectorsOf = ({ embedder }: Models) => embedder && vectorModelOf(embedder, models.embeddingDimensions)
  const works: MindWork[] = []
  const vectors = vectorsOf(background)
  if (vectors) works.push(embeddingWork(vectors))
  if (background.model)
    works.push(createConsolidation({ database, model: background.model, log, settings: models }))
  const openSearcher = openSearch(vectorsOf(asked), asked.reranker)
  const answering = asked.model && { model: asked.model, deadlineMs, tokens: models.askTokens }
  return { works, engine: createEmbeddedEngine({ queues: works, threads, openSearcher, answering }) }
}

/** @param queues work for which a stored memory waits */
export const createEmbeddedEngine = ({
  queues,
  ...parts
}: { queues: readonly MindQueue[] } & Partial<EngineParts>): MemoryEngine =>
  createEngine({
    shareOf: createSearchQueue(),
    ...parts,
    works: queues.map(({ kind }) => kind),
    async stored(tx, mindKey) {
      for (const queue of queues) await queueMemory(tx, queue, mindKey)
    },
    forgotten: forgetFailures
  })

/** The engine by itself: no model, and nothing that waits. */
export const embeddedEngine: MemoryEngine = createEmbeddedEngine({ queues: [] })

/** A few at once: each holds what it found of a large Mind. Partners take turns, and so do the customers of each. */
function createSearchQueue(): ShareOf {
  const refusal = () =>
    new ServiceError('memory_rate_limited', 'Too many questions wait for an answer. Try again shortly.', {
      retryAfterSeconds: 1
    })
  const few = { atOncePerTenant: 2, refusal }
  const byCustomer = createFairQueue({ ...few, waitingPerTenant: 100 })
  const byPartner = createFairQueue({ ...few, atOnce: 4, waitingPerTenant: 1_000 })
  // Short ones that come at once would follow each other before anybody else is heard.
  return ({ customerId, partnerId }, signal) =>
    (work) => {
      const begin = () => nextTurn().then(work)
      return byCustomer.run(customerId, () => byPartner.run(partnerId, begin, signal), signal)
    }
}
