// One customer's writes take turns before they begin. Waiting for the same row inside their transactions, they would
// hold a place each, and a burst of one customer's would leave none for its partner's others.
import { setImmediate } from 'node:timers/promises'
import { ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { withDeadline } from '../net/deadline.ts'

const TOO_MANY = 'Too many writes of one customer wait. Try again shortly.'

const queue = createFairQueue({
  waitingPerTenant: 50,
  refusal: () => new ServiceError('memory_rate_limited', TOO_MANY, { retryAfterSeconds: 1 })
})

/** @throws ServiceError `database_busy` after a wait of `waitMs`, `memory_rate_limited` when too many wait */
export function queueMemoryWrite<T>(customerId: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const late = () => new ServiceError('database_busy', TOO_MANY, { retryAfterSeconds: 1 })
  // SQLite answers in place: without a pause one customer's turns would follow each other before anybody else's I/O.
  const begin = () => setImmediate().then(work)
  return withDeadline({ timeoutMs: waitMs, late }, (signal) => queue.run(customerId, begin, signal))
}
