// One customer's writes take turns before they begin. Waiting for the same row inside their transactions, they would
// hold a connection each, and a burst of one customer's would leave none for everybody else.
import { ServiceError } from '../errors.ts'

/** The last turn of each customer that has one. */
const turns = new Map<string, Promise<unknown>>()

/**
 * Does the work once all earlier work of the same customer has ended, in this process.
 *
 * @throws ServiceError `database_busy` when its turn comes later than after `waitMs`
 */
export async function inTurn<T>(customerId: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const before = turns.get(customerId) ?? Promise.resolve()
  const mine = before.then(() => {
    if (performance.now() - startedAt <= waitMs) return work()
    throw new ServiceError('database_busy', 'Too many writes of one customer wait. Try again shortly.', {
      retryAfterSeconds: 1
    })
  })
  const ended = mine.catch(() => undefined)
  turns.set(customerId, ended)
  try {
    return await mine
  } finally {
    if (turns.get(customerId) === ended) turns.delete(customerId)
  }
}
