// One process has a deploy at a time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeDeploy } from '../../src/instances/deploy/hold.ts'
import { databases } from '../support/databases.ts'
import { makeInstance } from '../support/instances.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('the lease of a deploy on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())

  it('goes to one of all that saw it alike, and to the next one only when that one is gone', async () => {
    const { database, deploys } = test.service
    const { id: partnerId } = await makePartnerRow(test.service)
    const { id: customerId } = await makeCustomerRow(test.service, partnerId)
    const instance = await makeInstance(test.service, partnerId, customerId)
    const { id, leaseOwner } = await database.transaction((tx) =>
      deploys.enqueue(tx, { instance, businessName: 'Sol', telegram: undefined, memoryScopes: [] })
    )
    const take = (seen: string | null, owner: string) =>
      database.transaction((tx) => takeDeploy(tx, { id, leaseOwner: seen }, { owner, ms: 60_000 }))
    const attempts = await Promise.all(['one', 'two', 'three'].map((owner) => take(leaseOwner, owner)))
    const taken = attempts.filter((row) => row !== undefined)
    expect(taken).toHaveLength(1)
    expect(await take('somebody else', 'four')).toBeUndefined()
    expect(await take(String(taken[0]?.leaseOwner), 'four')).toMatchObject({ leaseOwner: 'four' })
  })
})
