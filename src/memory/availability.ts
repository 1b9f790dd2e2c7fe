// When the memory can't be reached for now: a database that stays locked or is gone, or an engine's deadline (§7: 503).
import { isAway, isBusy, translated } from '../database/faults.ts'
import { ServiceError } from '../errors.ts'
import { orAborted, withDeadline } from '../net/deadline.ts'
import { ThreadsUnavailable } from '../threads/pool.ts'

/** After a deadline the same call needs a little longer than after a lock. */
const RETRY_AFTER_S = 5

/** The error as a memory operation tells it; the cause stays for the log and never gets into the text. */
export function asUnavailable(thrown: unknown): unknown {
  const error = translated(thrown)
  const isLate = error instanceof DeadlinePassed || error instanceof ThreadsUnavailable
  if (!isBusy(error) && !isAway(error) && !isLate) return error
  const message = 'The memory is not available for the moment. Try again shortly; recall still works.'
  const retryAfterSeconds = isBusy(error) ? 1 : RETRY_AFTER_S
  return new ServiceError('memory_unavailable', message, { retryAfterSeconds, cause: error })
}

class DeadlinePassed extends Error {}

/** @throws DeadlinePassed, also where the work goes on because it doesn't heed its signal */
export async function withinDeadline<T>(
  deadlineMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const startedAt = performance.now()
  const passed = new DeadlinePassed(`The engine took more than ${deadlineMs} ms`)
  const late = () => passed
  const limits = { timeoutMs: deadlineMs, signals: [outer], late, left: late }
  const result = await withDeadline(limits, (signal) => orAborted(work(signal), signal))
  // SQLite answers in place: no timer fires while one query follows the other.
  if (performance.now() - startedAt > deadlineMs) throw passed
  return result
}
