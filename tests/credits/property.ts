// Whatever is done at once, and wherever it breaks off: the credits add up, and the ledger knows what was told.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { DatabaseKind } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { acts } from './acts.ts'
import { expectNothingLost, startFixture } from './fixture.ts'

/** Seconds on a quiet machine; it is no race. */
const LONG_MS = 120_000

export const describeCredits = (kind: DatabaseKind, runs: number) =>
  describe(`credits on ${kind}`, () => {
    let test: TestService
    beforeAll(async () => {
      test = await openTestService(kind)
    })
    afterAll(() => test.close())

    it('add up after any acts at once, with failures between any steps', { timeout: LONG_MS }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(acts, { maxLength: 40, size: 'max' }), async (chosen) => {
          const fixture = await startFixture(test.service)
          await Promise.all(chosen.map((act) => act(fixture)))
          await expectNothingLost(fixture)
        }),
        { numRuns: runs }
      )
    })
  })
