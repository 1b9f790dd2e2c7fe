// Texts that a careless pattern takes the square of their length for.
import { expect } from 'vitest'
import { operations } from '../../src/operations.ts'
import { processorTime } from '../support/processor-time.ts'

/** Every field of every operation, given each of the texts, is judged within so much of the processor's time. */
export function expectJudgedAtOnce({ length, withinMs }: { length: number; withinMs: number }) {
  const texts = [
    'a',
    '@',
    '.',
    'a.',
    'a@',
    'a@a.',
    '-',
    "'",
    '1',
    '2026-01-01T00:00:00.',
    '0',
    '\0',
    ' ',
    '\ud800'
  ]
  for (const { input } of operations) {
    for (const unit of texts) {
      const text = unit.repeat(Math.ceil(length / unit.length))
      const worked = processorTime()
      for (const field of Object.keys(input.shape)) input.safeParse({ [field]: text, basic: { email: text } })
      expect(worked()).toBeLessThan(withinMs)
    }
  }
}
