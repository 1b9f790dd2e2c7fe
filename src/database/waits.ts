// How this process waits for its database: for a turn to write, and on PostgreSQL for each connection.
import { tally } from '../tally.ts'
import { isTraced, tracer } from '../trace.ts'

let waiting = 0

/** How many wait now. */
export const waitingNow = (): number => waiting

/** Begins a wait; what comes back ends it, however often it is called. */
export function beginWait(): () => void {
  const startedAt = performance.now()
  const span = isTraced() ? tracer().startSpan('wait for the database') : undefined
  let isOver = false
  waiting += 1
  return () => {
    if (isOver) return
    isOver = true
    waiting -= 1
    span?.end()
    tally('mindgate_database_waits_total', [])
    tally('mindgate_database_wait_seconds_total', [], (performance.now() - startedAt) / 1_000)
  }
}
