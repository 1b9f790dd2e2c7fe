// Money is a number with at most 6 decimals on the wire and integer micro-units in the database.
import { onceForValue } from './once.ts'

export const MICROS = 1_000_000

export const toMicros = (amount: number): number => Math.round(amount * MICROS)

export const fromMicros = (micros: number): number => micros / MICROS

/** `€1,234.50`: with as many decimals as the currency has, and more where there are, to the millionth. */
export const formatMoney = (amount: number, currency: string): string => formatOf(currency).format(amount)

const formatOf = onceForValue(
  (currency) => new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 6 })
)
