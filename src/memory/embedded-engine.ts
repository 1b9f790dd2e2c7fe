// The embedded engine in its place in the service: what it stores waits for work, and questions take turns.
import { ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { nextTurn } from '../slices.ts'
import type { ShareOf } from './embedded/embeddings/searcher.ts'
import { createEngine, type EngineParts } from './embedded/engine.ts'
import type { MemoryEngine } from './engine.ts'
import { forgetFailures } from './jobs/failures.ts'
import { type MindQueue, queueMemory } from './jobs/queue.ts'

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
  const begin =
    <T>(work: () => Promise<T>) =>
    () =>
      nextTurn().then(work)
  return ({ customerId, partnerId }, signal) =>
    (work) =>
      byCustomer.run(customerId, () => byPartner.run(partnerId, begin(work), signal), signal)
}
