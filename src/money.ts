// Money is a number with at most 6 decimals on the wire and integer micro-units in the database.

export const MICROS = 1_000_000

export const toMicros = (amount: number): number => Math.round(amount * MICROS)

export const fromMicros = (micros: number): number => micros / MICROS
