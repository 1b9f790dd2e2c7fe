import { ServiceError } from '../errors.ts'

export interface Use {
  /** Requests in it, the one that was just counted included. */
  used: number
  msLeft: number
}

/** Counts a request of a key, or one that is as dear as several; a negative number takes back. */
export type Counter = (key: string, requests?: number) => Promise<Use>

/** What is left of a quota, and for how long; `secondsLeft` is 1 at least. */
export const budgetAfter = ({ used, msLeft }: Use, quota: number, windowSeconds: number) => ({
  quota,
  windowSeconds,
  remaining: Math.max(0, quota - used),
  // Clocks of two machines may differ by more than is left.
  secondsLeft: Math.min(windowSeconds, secondsOf(msLeft)),
  isOverdrawn: used > quota
})

/** Rounded up, and 1 at least. */
export const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** The refusal of a request that was one too many (§7: 429). */
export const overdrawn = (
  { secondsLeft }: { secondsLeft: number },
  what = 'Too many requests',
  code: 'rate_limited' | 'memory_rate_limited' = 'rate_limited'
): ServiceError =>
  new ServiceError(code, `${what}. ${waitOf(secondsLeft)}`, { retryAfterSeconds: secondsLeft })

function waitOf(secondsLeft: number): string {
  const [seconds, unit] =
    secondsLeft <= 120 ? [1, 'second'] : secondsLeft <= 7_200 ? [60, 'minute'] : [3_600, 'hour']
  const count = Math.ceil(secondsLeft / seconds)
  return `Try again in ${count} ${count === 1 ? unit : `${unit}s`}.`
}
