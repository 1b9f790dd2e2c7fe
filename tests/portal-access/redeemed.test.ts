// Links of mails used: whom they make the owner of what, and whose portal they lead into.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CustomerTable } from '../../src/customers/table.ts'
import { endOf, redeemLink } from '../../src/portal-access/email-links.ts'
import { mintLink, type Purpose } from '../../src/portal-access/links.ts'
import { portalGuest } from '../../src/portal-access/visitors.ts'
import { databases } from '../support/databases.ts'
import { uniqueEmail } from '../support/fixture.ts'
import { makeCustomerRow, makePartnerRow, makeTeamMemberRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

const PASSWORD = 'correct horse battery'
const OPEN = { credentialStatus: 'active', customerPortalEnabled: 1, enableTeamMembers: 1 } as const
const VISIT = { address: '127.0.0.1', userAgent: 'browser', requestId: 'req_test' }

describe.each(databases)('a link that is used, on %s', (kind) => {
  let test: TestService
  let partnerId: string
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    partnerId = (await makePartnerRow(test.service)).id
  })

  const make = (given: Partial<CustomerTable> = {}) => {
    const email = uniqueEmail()
    return makeCustomerRow(test.service, partnerId, { ...OPEN, email, emailKey: email, ...given })
  }
  const linkFor = (purpose: Purpose, target: { customerId: string; teamMemberId?: string }) =>
    test.service.database.transaction((tx) => mintLink(tx, partnerId, purpose, target))
  const accept = async (token: string) =>
    redeemLink(test.service, 'invite', { token, password: PASSWORD }, VISIT, partnerId)
  const inviteTo = async (customer: CustomerTable, email: string) => {
    const teamMemberId = await makeTeamMemberRow(test.service, customer, { email })
    return linkFor('team_invite', { customerId: customer.id, teamMemberId })
  }
  const ownerOf = async (id: string) => {
    const { read } = test.service.database
    const row = await read.selectFrom('customer').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
    return row.ownerIdentityId
  }
  const inside = async (token: string | undefined) => {
    const guest = await portalGuest(test.service.database.read, token ?? '', partnerId)
    return guest?.state === 'inside' ? [guest.customerId, guest.role, guest.person.identityId] : guest?.state
  }

  it('makes its reader the owner of that customer, and of no other', async () => {
    const [mine, other] = [await make(), await make()]
    const session = await accept(await linkFor('portal_invite', { customerId: mine.id }))
    const owner = await ownerOf(mine.id)
    expect(owner).not.toBe(null)
    expect(await ownerOf(other.id)).toBe(null)
    expect(await inside(session)).toEqual([mine.id, 'owner', owner])
  })

  it('makes nobody the owner whose address isn’t the customer’s any more', async () => {
    const mine = await make()
    const token = await linkFor('portal_invite', { customerId: mine.id })
    const { transaction } = test.service.database
    // As where it changes between the two looks.
    await transaction((tx) =>
      tx.updateTable('customer').set({ emailKey: uniqueEmail() }).where('id', '=', mine.id).execute()
    )
    await expect(accept(token)).rejects.toMatchObject({ code: 'link_ended' })
    expect(await ownerOf(mine.id)).toBe(null)
    expect(await endOf(test.service.database.read, 'invite', token, partnerId)).toBe('late')
  })

  it('leads a member into the team’s portal, beside one of their own, and leaves its owner', async () => {
    const mine = await make()
    const first = await accept(await linkFor('portal_invite', { customerId: mine.id }))
    const owner = await ownerOf(mine.id)
    const theirs = [await make(), await make()]
    for (const customer of theirs) {
      const session = await accept(await inviteTo(customer, mine.email))
      expect(await inside(session)).toEqual([customer.id, 'member', owner])
      expect(await ownerOf(customer.id)).toBe(null)
    }
    expect(await ownerOf(mine.id)).toBe(owner)
    expect(await inside(first)).toEqual([mine.id, 'owner', owner])
  })

  it('says nothing of its end at another partner’s', async () => {
    const mine = await make()
    const token = await linkFor('portal_invite', { customerId: mine.id })
    const { read } = test.service.database
    const other = await makePartnerRow(test.service)
    expect(await endOf(read, 'invite', token, partnerId)).toBe('late')
    expect(await endOf(read, 'invite', token, other.id)).toBe('gone')
    expect(await endOf(read, 'reset', token, partnerId)).toBe('gone')
    await accept(token)
    expect(await endOf(read, 'invite', token, partnerId)).toBe('used')
    expect(await endOf(read, 'invite', token)).toBe('used')
  })
})
