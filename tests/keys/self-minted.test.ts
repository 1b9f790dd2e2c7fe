import { expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { execute } from '../../src/execute.ts'
import { mintCustomerTokenOperation } from '../../src/keys/operations.ts'
import { addIdentity } from '../../src/portal-access/identities.ts'
import { databases } from '../support/databases.ts'
import { makeFixture, makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { openTestService } from '../support/service.ts'

it.each(databases)('tells tokens that a customer made itself from those made for it, on %s', async (kind) => {
  const test = await openTestService(kind)
  const { service } = test
  const { partnerId } = await makePartner(service)
  const { customerId } = await makeFixture(service, partnerId)
  await run(service, partnerId, 'customer_update', { customerId, enableApiAccess: true })
  const ownerId = await service.database.transaction((tx) => addIdentity(tx, partnerId, uniqueEmail()))
  const mint = async (actor: string, own: { customerId?: string }) => {
    const call = { caller: { partnerId, actor, scopes: new Set(SCOPES), ...own }, requestId: 'req_test' }
    const input = { customerId, name: actor }
    return stringAt((await execute(mintCustomerTokenOperation, service, call, input)).output, 'tokenId')
  }
  const [theirs, ours] = [await mint(ownerId, { customerId }), await mint('key_test', {})]
  const rows = await service.database.read
    .selectFrom('customerToken')
    .where('id', 'in', [theirs, ours])
    .select(['id', 'isSelfMinted'])
    .execute()
  expect(new Map(rows.map(({ id, isSelfMinted }) => [id, isSelfMinted]))).toEqual(
    new Map([
      [theirs, 1],
      [ours, 0]
    ])
  )
  await test.close()
})
