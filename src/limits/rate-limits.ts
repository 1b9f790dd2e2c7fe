// How often an API key may call, or a person in portal or console, and how often an address may fail to show a key. All
// count in fixed windows, which begin with the first request.
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
  /** Spends one request of the budget of a key, or of who is signed in; it is the same budget at every door. */
  spend(actor: string): Promise<Budget>
  /** Spends one failed attempt of an address, which may fail as often as a key may call; its networks somewhat more. */
  spendFailure(address: string): Promise<Budget>
}

/** The limits of this configuration, or `undefined` when they are switched off: then nothing is counted. */
export function createRateLimits(
  { rateLimit: quota, rateWindowSeconds: windowSeconds }: Config,
  counters: Counters
): RateLimits | undefined {
  if (quota === 0) return undefined
  const count = counters.counterFor(quota)
  const countFailure = createFailureCounter(quota, windowSeconds)
  return {
    spend: async (actor) => budgetAfter(await count(actor), quota, windowSeconds),
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
export function waitOf({ secondsLeft }: Pick<Budget, 'secondsLeft'>): string {
  const [seconds, unit] =
    secondsLeft <= 120 ? [1, 'second'] : secondsLeft <= 7_200 ? [60, 'minute'] : [3_600, 'hour']
  const count = Math.ceil(secondsLeft / seconds)
  return `Try again in ${count} ${count === 1 ? unit : `${unit}s`}.`
}
