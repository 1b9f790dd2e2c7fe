// Housekeeping: what has expired leaves the database, a small batch at a time.
import { HOUR_MS } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { forgetExpiredAnswers } from '../idempotency/idempotency.ts'
import { forgetEndedWindows } from '../limits/ended-windows.ts'

/** Small enough that the write lock is held for a few milliseconds. */
const BATCH = 200

/** Each removes a batch and tells how many there were. */
const SWEEPS = [forgetExpiredAnswers, forgetEndedWindows]

/** Sweeps now and then every hour, until the returned function is called. */
export function startSweeps(database: Database, inBackground: (work: Promise<unknown>) => void): () => void {
  let isStopped = false
  const sweep = async () => {
    for (const forget of SWEEPS) {
      while (!isStopped && (await database.transaction((tx) => forget(tx, BATCH))) === BATCH);
    }
  }
  const timer = setInterval(() => inBackground(sweep()), HOUR_MS)
  timer.unref()
  inBackground(sweep())
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
