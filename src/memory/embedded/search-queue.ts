// A few searches at once: each holds what it found of a large Mind in memory, and works in slices of the event loop.
import { ServiceError } from '../../errors.ts'
import { createFairQueue } from '../../fair-queue.ts'
import { nextTurn } from '../../slices.ts'
import type { Owner } from '../minds.ts'

/** Does local work on a question when it is its turn; never what waits for a model. */
export type Share = <T>(work: () => Promise<T>) => Promise<T>

/** Partners take turns, and so do the customers of each. */
export function createSearchQueue(): (owner: Owner, signal: AbortSignal) => Share {
  const refusal = () =>
    new ServiceError('memory_rate_limited', 'Too many questions wait for an answer. Try again shortly.', {
      retryAfterSeconds: 1
    })
  const few = { atOncePerTenant: 2, refusal }
  const byCustomer = createFairQueue({ ...few, atOnce: Number.POSITIVE_INFINITY, waitingPerTenant: 100 })
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
