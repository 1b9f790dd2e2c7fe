// Money is a number with at most 6 decimals on the wire and integer micro-units in the database.

export const MICROS = 1_000_000

export const toMicros = (amount: number): number => Math.round(amount * MICROS)

export const fromMicros = (micros: number): number => micros / MICROS

const formats = new Map<string, Intl.NumberFormat>()

/** `€1,234.50`: with as many decimals as the currency has, and more where there are, to the millionth. */
export function formatMoney(amount: number, currency: string): string {
  const known = formats.get(currency)
  const format =
    known ?? new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 6 })
  if (!known) formats.set(currency, format)
  return format.format(amount)
}
