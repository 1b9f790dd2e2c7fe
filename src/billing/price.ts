// Amounts as whole micro-units, from what providers tell to what is charged: no sum of them is ever rounded.

/**
 * A decimal as whole micro-units, half away from zero: what JSON had for it, digit by digit, never by way of a product of
 * floats. `shift` moves the point first: -2 for cents.
 *
 * @throws RangeError for what isn't finite or too large to be an exact number
 */
export function decimalMicros(value: number, shift = 0): number {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? refuse(value)
  const places = Number(exponent) + shift + 6 - fraction.length
  const digits = BigInt(whole + fraction)
  const micros = places >= 0 ? digits * 10n ** BigInt(places) : halfUp(digits, 10n ** BigInt(-places))
  return exact(sign === '-' ? -micros : micros)
}

/** What a call is charged: its cost times the multiplier, rounded half up. @throws RangeError beyond exact numbers */
export const chargeOf = (costMicros: number, multiplierMicros: number): number =>
  exact(halfUp(BigInt(costMicros) * BigInt(multiplierMicros), 1_000_000n))

/** What so long is worth at a price per minute, rounded half up. */
export const priceOfDuration = (minutePriceMicros: number, durationMs: number): number =>
  exact(halfUp(BigInt(minutePriceMicros) * BigInt(durationMs), 60_000n))

/** The part of an amount for so much of a whole, such as the days of a period that are left; rounded half up. */
export const shareOf = (amountMicros: number, part: number, whole: number): number =>
  exact(halfUp(BigInt(amountMicros) * BigInt(part), BigInt(whole)))

/** Of what isn't negative: providers' costs are read that way. */
const halfUp = (dividend: bigint, divisor: bigint): bigint => (dividend * 2n + divisor) / (divisor * 2n)

function exact(micros: bigint): number {
  const value = Number(micros)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${micros} micro-units are too many`)
  return value
}

function refuse(value: number): never {
  throw new RangeError(`${value} is no amount`)
}
