// Code that isn't checked must not turn one tenant's rows into everybody's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getInstance } from '../../src/instances/store.ts'
import { endSessions } from '../../src/portal-access/sessions.ts'
import { makeInstance } from '../support/instances.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe('a query that isn’t told whose rows it means', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())

  /** As a value comes that no compiler has seen. */
  const nobody = (): string => JSON.parse('{}').partnerId

  it('finds nothing', async () => {
    const { service } = test
    const { id: partnerId } = await makePartnerRow(service)
    const { id: customerId } = await makeCustomerRow(service, partnerId)
    const { id } = await makeInstance(service, partnerId, customerId)
    await expect(getInstance(service.database.read, partnerId, id)).resolves.toMatchObject({ id })
    await expect(getInstance(service.database.read, nobody(), id)).rejects.toThrow('partnerId has no value')
  })

  it('ends nothing', async () => {
    const ending = test.service.database.transaction((tx) =>
      endSessions(tx, nobody(), { customerId: nobody() })
    )
    await expect(ending).rejects.toThrow('partnerId has no value')
  })
})
