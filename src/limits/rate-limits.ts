// How often an API key may call, and how often an address may fail to show one. Both count in fixed windows, which
// begin with the first request.
import type { Config } from '../config.ts'
import { ServiceError } from '../errors.ts'
import type { Counters } from './counters.ts'
import { createFailureCounter } from './failure-counter.ts'

/** What a window holds so far. */
export interface Use {
  /** Requests in it, the one that was just counted included. */
  used: number
  /** Until it ends. */
  msLeft: number
}

/** Counts a request of a key, or one that is as dear as several. */
export type Counter = (key: string, requests?: number) => Promise<Use>

/** What is left of a budget after a request. */
export interface Budget {
  /** Requests in a whole window. */
  quota: number
  windowSeconds: number
  remaining: number
  /** Until the whole budget is there again; at least 1. */
  secondsLeft: number
  /** Whether the request was one too many. */
  isOverdrawn: boolean
}

export interface RateLimits {
  /** Spends one request of an API key's budget; it is the same budget at every door. */
  spend(keyId: string): Promise<Budget>
  /** Spends one failed attempt of an address, which may fail as often as a key may call. */
  spendFailure(address: string): Promise<Budget>
}

/** The limits of this configuration, or `undefined` when they are switched off: then nothing is counted. */
export function createRateLimits(
  { rateLimit: quota, rateWindowSeconds: windowSeconds }: Config,
  counters: Counters
): RateLimits | undefined {
  if (quota === 0) return undefined
  const count = counters.counterFor(quota)
  const countFailure = createFailureCounter(windowSeconds)
  return {
    spend: async (keyId) => budgetAfter(await count(keyId), quota, windowSeconds),
    spendFailure: async (address) => budgetAfter(await countFailure(address), quota, windowSeconds)
  }
}

/** What a window of that size has left. */
export const budgetAfter = ({ used, msLeft }: Use, quota: number, windowSeconds: number): Budget => ({
  quota,
  windowSeconds,
  remaining: Math.max(0, quota - used),
  // Clocks of two machines may differ by more than is left.
  secondsLeft: Math.min(windowSeconds, Math.max(1, Math.ceil(msLeft / 1000))),
  isOverdrawn: used > quota
})

/** The refusal of a request that was one too many (§7: 429). */
export const rateLimited = (budget: Budget, what = 'Too many requests'): ServiceError =>
  new ServiceError('rate_limited', `${what}. ${waitOf(budget)}`, { retryAfterSeconds: budget.secondsLeft })

/** When the budget is whole again, in a sentence. */
export const waitOf = ({ secondsLeft }: Budget): string =>
  `Try again in ${secondsLeft} ${secondsLeft === 1 ? 'second' : 'seconds'}.`
