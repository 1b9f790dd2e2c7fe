// The writes of a process stand in line. SQLite lets one writer in: only the head tries for the lock, which another process
// may hold; whoever stands behind asks nothing of the database. On PostgreSQL some write at once, and wait for each other's
// rows and for the disk; they leave connections to who reads, and places to other partners.
import { createFairQueue } from '../fair-queue.ts'
import { goRound } from '../slices.ts'
import { databaseBusy } from './faults.ts'
import { requireOutside } from './guard.ts'
import { beginWait } from './waits.ts'

/** Tells `write`, when it is the tenant's turn, how much of its wait is left. */
export type WriteLine = <T>(tenant: string, write: (leftMs: number) => Promise<T>) => Promise<T>

/**
 * The event loop has a turn between two writes. Refuses with `database_busy` what can't begin within `deadlineMs`.
 *
 * @param connections of PostgreSQL's, of which writers have six in ten, and one tenant half of those; SQLite has one
 */
export function createWriteLine(deadlineMs: number, connections: number): WriteLine {
  const atOnce = Math.max(1, Math.floor(connections * 0.6))
  const atOncePerTenant = Math.ceil(atOnce / 2)
  const places = { atOnce, atOncePerTenant, waitingPerTenant: 1_000 }
  const queue = createFairQueue({ ...places, refusal: () => databaseBusy() })
  let inLine = 0
  let hasWritten = false

  return async function inTurn(tenant, write) {
    // It would wait for itself.
    requireOutside()
    const startedAt = performance.now()
    const endWait = beginWait()
    inLine += 1
    const ending = inLine > atOncePerTenant ? new AbortController() : undefined
    const timer = ending && setTimeout(() => ending.abort(databaseBusy()), deadlineMs)
    const begin = async () => {
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
