import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Counter } from './rate-limits.ts'

/** Counts in this process. A window leaves the memory when it ends. */
export function createMemoryCounter(windowSeconds: number): Counter {
  // `penalty` counts without refusing; who counts decides.
  const limiter = new RateLimiterMemory({ points: 0, duration: windowSeconds, keyPrefix: '' })
  return async (key, requests = 1) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, requests)
    return { used: consumedPoints, msLeft: msBeforeNext }
  }
}
