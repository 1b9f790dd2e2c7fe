import { MINUTE_MS } from './clock.ts'
import { isAway } from './database/faults.ts'
import type { Log } from './log.ts'

/** The log for what fails again and again while the database is away: it then takes each message once a minute. */
export function sparingly(log: Log): Log {
  const toldAt = new Map<string, number>()
  const once =
    (write: Log['warn']): Log['warn'] =>
    (message, fields) => {
      const isRecent = performance.now() - (toldAt.get(message) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS
      if (isAway(fields?.error) && isRecent) return
      if (isAway(fields?.error)) toldAt.set(message, performance.now())
      write(message, fields)
    }
  return { ...log, warn: once(log.warn), error: once(log.error) }
}
