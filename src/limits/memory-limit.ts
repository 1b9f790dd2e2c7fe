// How often a customer's memory may be written to and asked, whoever does it: its tokens and its partner's keys
// together, at every door.
import type { Config } from '../config.ts'
import { ServiceError } from '../errors.ts'
import type { Counters } from './counters.ts'
import { budgetAfter, waitOf } from './rate-limits.ts'

/**
 * Spends of the customer's budget: a long text costs as much as several calls.
 *
 * @throws ServiceError `memory_rate_limited` when it was more than is left (§7: 429)
 */
export type MemoryLimit = (customerId: string, text: string) => Promise<void>

/** What one call may bring; the next so many characters are another one. */
const CHARACTERS_OF_A_CALL = 4_000

/** The limit of this configuration; where it is switched off nothing is counted. */
export function createMemoryLimit(
  { memoryRateLimit: quota, rateWindowSeconds: windowSeconds }: Config,
  counters: Counters
): MemoryLimit {
  if (quota === 0) return async () => undefined
  const count = counters.counterFor(quota)
  return async (customerId, text) => {
    // The longest text fits into a whole window, however small that is.
    const calls = Math.min(quota, Math.ceil(text.length / CHARACTERS_OF_A_CALL))
    const budget = budgetAfter(await count(customerId, calls), quota, windowSeconds)
    if (!budget.isOverdrawn) return
    throw new ServiceError(
      'memory_rate_limited',
      `This customer’s memory was called too often. ${waitOf(budget)}`,
      { retryAfterSeconds: budget.secondsLeft }
    )
  }
}
