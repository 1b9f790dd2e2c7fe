/** How long what fails waits: doubled each time up to the longest. */
export interface Backoff {
  firstMs: number
  longestMs: number
}

export const doubledMs = ({ firstMs, longestMs }: Backoff, before: number): number =>
  Math.min(firstMs * 2 ** before, longestMs)

/** Up to half less: what an outage has stopped doesn't come back at once. At least what the other side asked for. */
export const backoffMs = (backoff: Backoff, before: number, retryAfterSeconds = 0): number =>
  Math.max(retryAfterSeconds * 1_000, doubledMs(backoff, before) * (0.5 + Math.random() / 2))
