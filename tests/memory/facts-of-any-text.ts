// Texts that were never meant to be read, and the little that may be read in them.
import fc from 'fast-check'
import { expect } from 'vitest'
import { extractFacts } from '../../src/memory/embedded/facts/extract.ts'
import { MAX_FACTS, MAX_VALUE_LENGTH } from '../../src/memory/embedded/facts/fact.ts'

const TOLD_AT = '2026-05-03T10:00:00.000Z'

/** Beginnings of facts, and what texts are made of that were never meant to be read. */
export const PIECES = [
  ...[
    'a',
    'A',
    'Aa ',
    ' ',
    '.',
    '. ',
    '"',
    '[',
    '(',
    '\n',
    ', ',
    'Aa: ',
    '> ',
    '[10:00] ',
    'a.b@',
    '1 ',
    '😀',
    '\u202e',
    '\ud800',
    '\u0000'
  ],
  ...[
    'I am a ',
    'I live in ',
    'Austin, ',
    'my sister ',
    'CFO of ',
    'not ',
    'wants to ',
    'I’m ',
    'and I ',
    'prefers ',
    'Customer ',
    'Dana Reyes (',
    'no longer ',
    'likes '
  ]
]

/** Of each text few facts, each of one short line. */
export function expectFewShortFacts(runs: fc.Parameters<unknown>): void {
  const texts = fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 12 })), {
      maxLength: 40
    })
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const facts = extractFacts(text, TOLD_AT)
      expect(facts.length).toBeLessThanOrEqual(MAX_FACTS)
      for (const { value, topic, subject } of facts) {
        expect(value.length).toBeLessThanOrEqual(MAX_VALUE_LENGTH)
        expect(value + topic + subject.name).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
        expect((value + topic + subject.name).isWellFormed()).toBe(true)
      }
    }),
    runs
  )
}
