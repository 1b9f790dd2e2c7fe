// One process has a deploy at a time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { takeDue } from '../../src/jobs/leases.ts'
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
    await database.transaction((tx) =>
      deploys.enqueue(tx, { instance, businessName: 'Sol', telegram: undefined, memoryScopes: [] })
    )
    const take = (owner: string) =>
      database.transaction((tx) =>
        takeDue(tx, database.kind, { table: 'deploy', leaseMs: 60_000 }, { owner })
      )
    const attempts = await Promise.all(['one', 'two', 'three'].map((owner) => take(owner)))
    const taken = attempts.filter((row) => row !== undefined)
    expect(taken).toHaveLength(1)
    expect(await take('four')).toBeUndefined()
    await database.transaction((tx) =>
      tx
        .updateTable('deploy')
        .set({ leaseExpiresAt: fromNow(-1) })
        .where('leaseOwner', '=', String(taken[0]?.leaseOwner))
        .execute()
    )
    expect(await take('four')).toMatchObject({ leaseOwner: 'four' })
  })
})
