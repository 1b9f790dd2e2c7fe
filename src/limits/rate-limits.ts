// All count in fixed windows, which begin with the first request.
import type { Config } from '../config.ts'
import { budgetAfter, overdrawn } from './budget.ts'
import type { Counters } from './counters.ts'
import { createFailureCounter } from './networks.ts'

export type RateLimits = ReturnType<typeof createRateLimits>

/** `undefined` when they are switched off: then nothing is counted. */
export function createRateLimits(config: Config, counters: Counters) {
  const { rateLimit: quota, rateWindowSeconds: windowSeconds } = config
  if (quota === 0) return undefined
  const count = counters.counterFor(quota)
  const countFailure = createFailureCounter(config.secretKey, quota, windowSeconds)
  return {
    /** Spends one request of the budget of a key, or of who is signed in; it is the same budget over every channel. */
    spend: async (actor: string) => budgetAfter(await count(actor), quota, windowSeconds),
    /** Spends one failed attempt of an address, which may fail as often as a key may call; its networks somewhat more. */
    spendFailure: async (address: string) => budgetAfter(await countFailure(address), quota, windowSeconds)
  }
}

/** Spends of a customer's memory's budget, whoever calls it. @throws ServiceError `memory_rate_limited` (§7: 429) */
export type MemoryLimit = (customerId: string, text: string) => Promise<void>

/** What one call may bring; the next so many characters are another one. */
const CHARACTERS_OF_A_CALL = 4_000

export function createMemoryLimit(config: Config, counters: Counters): MemoryLimit {
  const { memoryRateLimit: quota, rateWindowSeconds: windowSeconds } = config
  if (quota === 0) return async () => undefined
  const count = counters.counterFor(quota)
  return async (customerId, text) => {
    // The longest text fits into a whole window, however small that is.
    const calls = Math.min(quota, Math.ceil(text.length / CHARACTERS_OF_A_CALL))
    const budget = budgetAfter(await count(customerId, calls), quota, windowSeconds)
    if (!budget.isOverdrawn) return
    throw overdrawn(budget, 'This customer’s memory was called too often', 'memory_rate_limited')
  }
}
