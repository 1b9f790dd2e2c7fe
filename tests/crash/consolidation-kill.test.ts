// kill -9 in the middle of consolidations; consolidation-kill.long.test.ts has every point.
import { beforeAll, it } from 'vitest'
import { expectFacts, undisturbedFacts } from './consolidation-kill.ts'

let facts: unknown
beforeAll(async () => {
  facts = await undisturbedFacts()
})

it.each([
  ['sqlite', ['asked,0', 'applied,2', 'written,1', 'committed,1']],
  ['postgres', ['asked,0', 'written,0', 'committed,1']]
] as const)('knows in the end what it would without any kill on %s', (kind, kills) =>
  expectFacts(facts, kind, kills)
)
