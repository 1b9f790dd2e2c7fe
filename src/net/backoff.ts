/** How long what fails waits: doubled each time up to the longest. */
export interface Backoff {
  firstMs: number
  longestMs: number
}

/** The wait after so many waits before it. */
export const doubledMs = ({ firstMs, longestMs }: Backoff, before: number): number =>
  Math.min(firstMs * 2 ** before, longestMs)

/**
 * The wait before the next attempt, up to half of it less, so that what an outage has stopped doesn't come back at once.
 * It is at least what the other side asked for.
 */
export const backoffMs = (backoff: Backoff, before: number, retryAfterSeconds = 0): number =>
  Math.max(retryAfterSeconds * 1_000, doubledMs(backoff, before) * (0.5 + Math.random() / 2))
