// kill -9 at every point of consolidations, over and over on the same Minds.
import { beforeAll, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectFacts, undisturbedFacts } from './consolidation-kill.ts'

const KILLS = [
  ...['taken,0', 'asked,0', 'answered,0', 'applying,0', 'applied,0', 'written,0', 'committed,0'],
  ...['applied,2', 'written,1', 'committed,1']
]

let facts: unknown
beforeAll(async () => {
  facts = await undisturbedFacts()
})

it.each(databases)(
  'knows in the end what it would without ten kills on %s',
  (kind) => expectFacts(facts, kind, KILLS),
  300_000
)
