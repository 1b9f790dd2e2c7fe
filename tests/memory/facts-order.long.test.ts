// Like facts-order.test.ts, with other memories each time.
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

  it(
    'come to what the remaining memories say',
    () => expectFactsInAnyOrder(test.service, { numRuns: 80 }),
    120_000
  )
})
