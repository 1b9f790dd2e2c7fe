// Which names may be short for which others: as a plain comparison of every pair tells, though few pairs are compared.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fullerNames, isSameName } from '../../src/memory/embedded/names.ts'

const PARTS = [
  ...[
    'Dana',
    'Danas',
    'D.',
    'Dr.',
    'Reyes',
    'Reyes’',
    'REYES',
    'Élodie',
    'elodie',
    "O'Neill",
    'ONeill',
    'Lena'
  ],
  ...['Брусникин', 'Брусникина', 'Анна', '田中', '田中太郎', '太郎', 'أحمد', 'احمد', '7', 'Acme', 'a']
]
const name = fc
  .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(' '))

it('is what comparing every pair tells', () => {
  let found = 0
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
      for (const [one, fuller] of fullerNames(names)) {
        const plain = names.filter((other) => other.length > one.length && isSameName(one, other))
        expect(fuller.toSorted()).toEqual(plain.toSorted())
        found += plain.length
      }
    }),
    { numRuns: 2_000 }
  )
  expect(found).toBeGreaterThan(1_000)
})
