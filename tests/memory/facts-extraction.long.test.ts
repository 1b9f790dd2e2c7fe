import { describe, it } from 'vitest'
import { expectFewShortFacts } from './facts-of-any-text.ts'

describe('whatever the text', () => {
  it('gives few facts, each of one short line, of other texts each time', () => {
    expectFewShortFacts({ numRuns: 2_000 })
  })
})
