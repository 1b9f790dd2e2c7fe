// Amounts to the micro-unit, against exact fractions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeOf, decimalMicros, priceOfDuration, shareOf } from '../../src/billing/price.ts'

describe('a decimal', () => {
  it.each([
    [0, 0],
    [0.1, 100_000],
    [1.0000005, 1_000_001],
    [1.0000004, 1_000_000],
    [5e-7, 1],
    [4.9e-7, 0],
    [1e-12, 0],
    [1_234_567.890123, 1_234_567_890_123],
    [1e3, 1_000_000_000]
  ])('%d is %i micro-units', (value, micros) => expect(decimalMicros(value)).toBe(micros))

  it('of cents is a hundredth', () => {
    expect([decimalMicros(12.345678, -2), decimalMicros(0.00005, -2), decimalMicros(7, -2)]).toEqual([
      123_457, 1, 70_000
    ])
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300])('%d is refused', (value) =>
    expect(() => decimalMicros(value)).toThrow(RangeError)
  )
})

it('charges cost times multiplier, half a micro-unit up', () => {
  expect([chargeOf(1, 1_500_000), chargeOf(1, 1_499_999), chargeOf(3, 500_000), chargeOf(0, 9)]).toEqual([
    2, 1, 2, 0
  ])
  fc.assert(
    fc.property(fc.nat(1_000_000_000), fc.integer({ min: 1, max: 1_000_000_000 }), (cost, multiplier) => {
      const product = BigInt(cost) * BigInt(multiplier)
      fc.pre(product < 9_000_000_000_000_000n)
      const [whole, rest] = [product / 1_000_000n, product % 1_000_000n]
      expect(BigInt(chargeOf(cost, multiplier))).toBe(rest >= 500_000n ? whole + 1n : whole)
    })
  )
})

it('prices so long by the minute, and a part of a period by its share', () => {
  expect([priceOfDuration(50_000, 90_000), priceOfDuration(1, 30_000), priceOfDuration(1, 29_999)]).toEqual([
    75_000, 1, 0
  ])
  expect([shareOf(30_000_000, 15, 30), shareOf(10, 1, 3), shareOf(10, 0, 3), shareOf(10, 3, 3)]).toEqual([
    15_000_000, 3, 0, 10
  ])
})
