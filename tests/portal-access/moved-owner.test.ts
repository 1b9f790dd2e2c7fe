// A customer's e-mail changes: who owns the portal then, by which password, and what ends.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CustomerTable } from '../../src/customers/table.ts'
import { addIdentity, moveOwner } from '../../src/portal-access/identities.ts'
import { mintLink } from '../../src/portal-access/links.ts'
import { databases } from '../support/databases.ts'
import { makeCustomerRow, makePartnerRow, makeTeamMemberRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

const EMAIL = 'ada@new.example'

describe.each(databases)('an owner whose address moves, on %s', (kind) => {
  let test: TestService
  let partnerId: string
  let ada: string
  let customer: CustomerTable
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    partnerId = (await makePartnerRow(test.service)).id
    ada = await add('ada@example.com')
    customer = await makeCustomerRow(test.service, partnerId, {
      ownerIdentityId: ada,
      email: 'ada@example.com'
    })
  })

  const add = (email: string) => test.service.database.transaction((tx) => addIdentity(tx, partnerId, email))
  const move = (before = customer) =>
    test.service.database.transaction((tx) =>
      moveOwner(tx, before, { ...before, email: EMAIL, emailKey: EMAIL })
    )
  const emails = async () => {
    const { read } = test.service.database
    const rows = await read.selectFrom('identity').where('partnerId', '=', partnerId).selectAll().execute()
    return Object.fromEntries(rows.map(({ id, email }) => [id, email]))
  }
  const owners = async () => {
    const { read } = test.service.database
    const rows = await read.selectFrom('customer').where('partnerId', '=', partnerId).selectAll().execute()
    return Object.fromEntries(rows.map(({ id, ownerIdentityId }) => [id, ownerIdentityId]))
  }

  it('goes along where nobody else is meant', async () => {
    const other = await makeCustomerRow(test.service, partnerId, {
      ownerIdentityId: await add('ida@example.com')
    })
    await move()
    expect(await emails()).toEqual({ [ada]: EMAIL, [other.ownerIdentityId ?? '']: 'ida@example.com' })
    expect((await owners())[customer.id]).toBe(ada)
  })

  it('gives way to who signs in with the new address already', async () => {
    const ida = await add(EMAIL)
    const other = await makeCustomerRow(test.service, partnerId, { ownerIdentityId: ida })
    await move()
    expect(await emails()).toEqual({ [ada]: 'ada@example.com', [ida]: EMAIL })
    expect(await owners()).toEqual({ [customer.id]: null, [other.id]: ida })
  })

  it('stays who it is for another customer of theirs', async () => {
    const other = await makeCustomerRow(test.service, partnerId, { ownerIdentityId: ada })
    await move()
    expect(await emails()).toEqual({ [ada]: 'ada@example.com' })
    expect(await owners()).toEqual({ [customer.id]: null, [other.id]: ada })
  })

  it('stays who it is in a team', async () => {
    const other = await makeCustomerRow(test.service, partnerId)
    await makeTeamMemberRow(test.service, other, { email: 'ada@example.com', identityId: ada })
    await move()
    expect(await emails()).toEqual({ [ada]: 'ada@example.com' })
    expect((await owners())[customer.id]).toBe(null)
  })

  it('is nobody yet: then only the links to the old address end', async () => {
    const nobody = await makeCustomerRow(test.service, partnerId)
    const { read, transaction } = test.service.database
    await transaction(async (tx) => {
      for (const { id: customerId } of [nobody, customer])
        await mintLink(tx, partnerId, 'portal_invite', { customerId })
    })
    await move(nobody)
    expect(await owners()).toEqual({ [nobody.id]: null, [customer.id]: ada })
    expect(await emails()).toEqual({ [ada]: 'ada@example.com' })
    const links = read.selectFrom('accessLink').where('partnerId', '=', partnerId).select('customerId')
    expect(await links.execute()).toEqual([{ customerId: customer.id }])
  })
})
