// Counters of one configuration: on PostgreSQL every process shares them, on SQLite they are this process's own.
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Counter } from './rate-limits.ts'
import { createSharedCounter } from './shared-counter.ts'
import { openWindowStore } from './window-store.ts'

export interface Counters {
  /** A counter whose keys no other one has; nobody waits for the database while a key is far from `quota`. */
  counterFor(quota: number): Counter
  /** Lets go of what the counters hold. */
  close(): Promise<void>
}

export function openCounters(
  { databaseLocation, rateWindowSeconds: windowSeconds }: Config,
  log: Log
): Counters {
  if (!/^postgres(ql)?:/.test(databaseLocation)) {
    return { counterFor: () => createMemoryCounter(windowSeconds), close: async () => undefined }
  }
  const store = openWindowStore(databaseLocation, windowSeconds)
  let isClosed = false
  return {
    counterFor: (quota) =>
      createSharedCounter(store, { quota, windowSeconds, log, isClosed: () => isClosed }),
    close() {
      isClosed = true
      return store.close()
    }
  }
}

/** Counts in this process. A window leaves the memory when it ends. */
function createMemoryCounter(windowSeconds: number): Counter {
  // `penalty` counts without refusing; who counts decides.
  const limiter = new RateLimiterMemory({ points: 0, duration: windowSeconds, keyPrefix: '' })
  return async (key, requests = 1) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, requests)
    return { used: consumedPoints, msLeft: msBeforeNext }
  }
}
