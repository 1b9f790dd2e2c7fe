import { afterAll, beforeAll, describe, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { expectFactsInAnyOrder } from './facts-in-any-order.ts'

describe.each(databases)('facts in any order on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())

  it('come to what the remaining memories say', () =>
    expectFactsInAnyOrder(test.service, { seed: 1, numRuns: kind === 'sqlite' ? 30 : 10 }))
})
