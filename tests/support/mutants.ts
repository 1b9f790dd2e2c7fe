// A mutant is tried by all tests of each file that reaches it: queries are compiled at their first use and fixtures made
// before the tests, so it shows in other tests than in the one that reached it.
import { afterAll, beforeAll } from 'vitest'

type Hits = Record<string, number>

/** How often which mutant was reached while Stryker looks for that: by test, and outside of tests. */
interface Coverage {
  static: Hits
  perTest: Record<string, Hits>
}

const coverage = (): Coverage | undefined => Reflect.get(globalThis, '__stryker__')?.mutantCoverage

let testsBefore: string[] = []
let loading: Hits = {}

// All is loaded by now: what is still reached outside of tests is reached by hooks.
beforeAll(() => {
  const { static: outside = {}, perTest = {} } = coverage() ?? {}
  testsBefore = Object.keys(perTest)
  loading = { ...outside }
})

afterAll(() => {
  const found = coverage()
  if (!found) return
  const byHooks = Object.entries(found.static).filter(([mutant, hits]) => hits !== loading[mutant])
  const tests = Object.keys(found.perTest).filter((id) => !testsBefore.includes(id))
  const reached = Object.assign({}, Object.fromEntries(byHooks), ...tests.map((id) => found.perTest[id]))
  for (const id of tests) found.perTest[id] = reached
  found.static = loading
})
