import { expect } from 'vitest'
import type { Outcome } from './burst.ts'
import { expectedRows } from './kept-rows.ts'

/** Every onboarding is there once and whole, as its answer said, and nothing else is. */
export function expectWhole({ rounds, early, late, refusals, repeated, rows }: Outcome, kills: number) {
  // The kills hit: each round had answers before its kill, and requests that never got one.
  expect(rounds).toHaveLength(kills)
  for (const { exitCode, acknowledged, answers, interrupted } of rounds) {
    expect([exitCode, acknowledged]).toEqual([null, answers])
    expect(interrupted).toBeGreaterThan(0)
  }
  expect(late.length).toBeGreaterThan(0)
  expect(early.length).toBeGreaterThanOrEqual(kills)
  expect(refusals).toEqual([])

  expect(repeated.map(({ output }) => output)).toEqual(early.map(({ answer }) => answer.output))
  expect(repeated.every(({ status, isReplay }) => status === 200 && isReplay)).toBe(true)
  const { letters: _, ...kept } = rows
  expect(kept).toEqual(expectedRows([...early, ...late]))
}
