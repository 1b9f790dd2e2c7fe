/** Now, as every table keeps it: ISO 8601 in UTC with milliseconds, which sorts as text. */
export const now = (): string => new Date().toISOString()

/** The instant `ms` milliseconds from now (or before, if negative), in the tables' format. */
export const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString()

/** Whichever of two instants comes first, in the tables' format. */
export const earlier = (a: string, b: string): string => (a < b ? a : b)

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
