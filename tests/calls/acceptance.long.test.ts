// What is charged is compared with an independent count, over as many calls as take minutes to read.
import { expect, it } from 'vitest'
import { readSixWeeks } from './acceptance.ts'

it.each([
  ['sqlite', 10_000, 1],
  ['postgres', 10_000, 2]
] as const)(
  'charges what an independent count does, through faults and corrections, on %s with %i calls at each provider (seed %i)',
  { timeout: 300_000 },
  async (kind, calls, seed) => {
    const { differences, unexpected, counted, charged } = await readSixWeeks(kind, calls, seed)
    expect(differences).toEqual([])
    expect(unexpected).toEqual([])
    expect(counted).toBe(2 * calls)
    // Most of the calls are somebody's: the sums are not equal for being empty.
    expect(charged).toBeGreaterThan(calls / 2)
  }
)
