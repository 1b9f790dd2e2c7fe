// How often a customer's memory may be written to and asked, whoever does it: its tokens and its partner's keys
// together, at every door.
import type { Config } from '../config.ts'
import { ServiceError } from '../errors.ts'
import type { Counters } from './counters.ts'
import { budgetAfter, waitOf } from './rate-limits.ts'

/**
 * Spends one call of the customer's budget.
 *
 * @throws ServiceError `memory_rate_limited` when it was one too many (§7: 429)
 */
export type MemoryLimit = (customerId: string) => Promise<void>

/** The limit of this configuration; where it is switched off nothing is counted. */
export function createMemoryLimit(
  { memoryRateLimit: quota, rateWindowSeconds: windowSeconds }: Config,
  counters: Counters
): MemoryLimit {
  if (quota === 0) return async () => undefined
  const count = counters.counterFor(quota)
  return async (customerId) => {
    const budget = budgetAfter(await count(customerId), quota, windowSeconds)
    if (!budget.isOverdrawn) return
    throw new ServiceError(
      'memory_rate_limited',
      `This customer’s memory was called too often. ${waitOf(budget)}`,
      { retryAfterSeconds: budget.secondsLeft }
    )
  }
}
