interface Backoff {
  firstMs: number
  longestMs: number
  /** What the other side asked for, if it did. */
  askedSeconds?: number | undefined
}

/**
 * The wait after so many failures in a row: doubled each time, and up to half of it left to chance, so that the work of an
 * outage doesn't come back at once.
 */
export function backoffMs(failures: number, { firstMs, longestMs, askedSeconds = 0 }: Backoff): number {
  const doubled = Math.min(firstMs * 2 ** (failures - 1), longestMs)
  return Math.max(askedSeconds * 1_000, doubled * (0.5 + Math.random() / 2))
}
