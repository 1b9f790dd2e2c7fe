// SQLite lets one writer in, so the writes of a process stand in one line. Only its head tries for the lock, which
// another process may hold; whoever stands behind asks nothing of the database.
import { createFairQueue } from '../fair-queue.ts'
import { goRound } from '../slices.ts'
import { databaseBusy } from './faults.ts'
import { requireOutside } from './guard.ts'
import { beginWait } from './waits.ts'

/** Tells `write`, when it is the tenant's turn, how much of its wait is left. */
export type WriteLine = <T>(tenant: string, write: (leftMs: number) => Promise<T>) => Promise<T>

/** The event loop has a turn between two writes. Refuses with `database_busy` what can't begin within `deadlineMs`. */
export function createWriteLine(deadlineMs: number): WriteLine {
  const queue = createFairQueue({ atOnce: 1, waitingPerTenant: 1_000, refusal: () => databaseBusy() })
  let inLine = 0
  let hasWritten = false

  return async function inTurn(tenant, write) {
    // It would wait for itself.
    requireOutside()
    const startedAt = performance.now()
    const endWait = beginWait()
    inLine += 1
    const ending = inLine > 1 ? new AbortController() : undefined
    const timer = ending && setTimeout(() => ending.abort(databaseBusy()), deadlineMs)
    const begin = async () => {
      clearTimeout(timer)
      endWait()
      if (hasWritten) await goRound()
      hasWritten = true
      setImmediate(() => {
        hasWritten = false
      })
      return write(deadlineMs - (performance.now() - startedAt))
    }
    try {
      return await queue.run(tenant, begin, ending?.signal)
    } finally {
      clearTimeout(timer)
      endWait()
      inLine -= 1
    }
  }
}
