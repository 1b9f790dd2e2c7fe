// Which portals are open to somebody, in which order, and what of each is switched on.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CustomerTable } from '../../src/customers/table.ts'
import { addIdentity } from '../../src/portal-access/identities.ts'
import { membershipsOf, ownersMembership } from '../../src/portal-access/memberships.ts'
import { databases } from '../support/databases.ts'
import { makeCustomerRow, makePartnerRow, makeTeamMemberRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

const OPEN = { credentialStatus: 'active', customerPortalEnabled: 1, enableTeamMembers: 1 } as const

describe.each(databases)('memberships on %s', (kind) => {
  let test: TestService
  let partnerId: string
  let ada: string
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    partnerId = (await makePartnerRow(test.service)).id
    ada = await test.service.database.transaction((tx) => addIdentity(tx, partnerId, 'ada@example.com'))
  })

  const make = (given: Partial<CustomerTable>) =>
    makeCustomerRow(test.service, partnerId, { ...OPEN, ...given })
  const owned = (given: Partial<CustomerTable> = {}) => make({ ownerIdentityId: ada, ...given })
  const joined = async (companyName: string) => {
    const customer = await make({ companyName })
    const member = { email: 'ada@example.com', identityId: ada }
    return {
      customerId: customer.id,
      teamMemberId: await makeTeamMemberRow(test.service, customer, member)
    }
  }
  const open = (only?: Parameters<typeof membershipsOf>[3]) =>
    membershipsOf(test.service.database.read, partnerId, ada, only)
  const names = async () => (await open()).map(({ customerName }) => customerName)

  it('come with the owner’s first, each kind by name', async () => {
    for (const companyName of ['Birch', 'Alder', 'Cedar']) await owned({ companyName })
    for (const companyName of ['Beech', 'Ash', 'Cherry']) await joined(companyName)
    expect(await names()).toEqual(['Alder', 'Birch', 'Cedar', 'Ash', 'Beech', 'Cherry'])
  })

  it('of one name come in the order of their ids', async () => {
    for (let i = 0; i < 5; i += 1) await owned({ companyName: 'Acme' })
    const ids = (await open()).map(({ customerId }) => customerId)
    expect(ids).toHaveLength(5)
    expect(ids).toEqual(ids.toSorted())
  })

  it('are looked for one by one: the owner’s, or the one as a member', async () => {
    const { id: customerId } = await owned()
    const elsewhere = await owned()
    const member = await joined('Ash')
    const found = async (only: Parameters<typeof open>[0]) =>
      (await open(only)).map((one) => [one.customerId, one.teamMemberId])
    expect(await found({ customerId, teamMemberId: null })).toEqual([[customerId, null]])
    expect(await found({ customerId: elsewhere.id, teamMemberId: null })).toEqual([[elsewhere.id, null]])
    expect(await found(member)).toEqual([[member.customerId, member.teamMemberId]])
    expect(await found({ ...member, teamMemberId: null })).toEqual([])
    expect(await found({ customerId, teamMemberId: member.teamMemberId })).toEqual([])
  })

  it('call the owner by name, else by the company’s', async () => {
    await owned({ firstName: 'Ada', lastName: 'Byron', companyName: 'Acme' })
    const unnamed = await owned({ firstName: null, lastName: null, companyName: 'Birch' })
    expect((await open()).map(({ personName }) => personName)).toEqual(['Ada Byron', 'Birch'])
    const shown = (id: string) => ownersMembership(test.service.database.read, partnerId, id)
    expect(await shown(unnamed.id)).toMatchObject({ personName: 'Birch', role: 'owner', teamMemberId: null })
    expect((await shown((await owned({ firstName: 'Ida', lastName: 'Rhodes' })).id))?.personName).toBe(
      'Ida Rhodes'
    )
    expect(await shown('cus_nobody')).toBe(undefined)
    expect(
      await ownersMembership(test.service.database.read, (await makePartnerRow(test.service)).id, unnamed.id)
    ).toBe(undefined)
  })

  it('are closed while the portal is, or the team’s', async () => {
    await owned({ credentialStatus: 'suspended' })
    await owned({ customerPortalEnabled: 0 })
    const { customerId } = await joined('Ash')
    expect(await names()).toEqual(['Ash'])
    await test.service.database.transaction((tx) =>
      tx.updateTable('customer').set({ enableTeamMembers: 0 }).where('id', '=', customerId).execute()
    )
    expect(await names()).toEqual([])
  })

  const SWITCHES = {
    hasMemory: 'enableAiMemory',
    hasTeam: 'enableTeamMembers',
    hasApiAccess: 'enableApiAccess',
    hasAnalytics: 'enableAdvancedAnalytics',
    hasCredits: 'aiCreditsEnabled',
    showKnowledgeBase: 'showKnowledgeBase',
    showIntegration: 'showIntegration'
  } as const
  const all = (value: 0 | 1) =>
    Object.fromEntries(Object.values(SWITCHES).map((column) => [column, value])) as Partial<CustomerTable>

  it.each(Object.entries(SWITCHES))('have %s by %s alone', async (feature, column) => {
    const on = async (given: Partial<CustomerTable>) => {
      await owned(given)
      const { allowedApps, ...features } = (await open())[0]?.features ?? {}
      await test.service.database.transaction((tx) =>
        tx.updateTable('customer').set({ ownerIdentityId: null }).execute()
      )
      return Object.entries(features).flatMap(([name, isOn]) => (isOn ? [name] : []))
    }
    expect(await on({ ...all(0), [column]: 1 })).toEqual([feature])
    expect(await on({ ...all(1), [column]: 0 })).toEqual(
      Object.keys(SWITCHES).filter((name) => name !== feature)
    )
  })

  it('have memory where the partner has, and the apps that are allowed', async () => {
    await owned({ enableAiMemory: 1, allowedApps: '["calendar"]' })
    expect((await open())[0]?.features).toMatchObject({ hasMemory: true, allowedApps: ['calendar'] })
    await test.service.database.transaction((tx) =>
      tx.updateTable('partner').set({ hasAiMemory: 0 }).where('id', '=', partnerId).execute()
    )
    expect((await open())[0]?.features.hasMemory).toBe(false)
  })
})
