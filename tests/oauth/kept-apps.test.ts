// Connected apps in the database: how many of a person's are kept, whose they are, and whom their tokens stand for.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRecords } from '../../src/connected-apps/records.ts'
import { connectApp, endAppItself, endApps, isKnownClient } from '../../src/connected-apps/store.ts'
import { verifyAccessToken } from '../../src/connected-apps/verify.ts'
import { randomToken } from '../../src/keys/token.ts'
import { addIdentity } from '../../src/portal-access/identities.ts'
import { makeColleague } from '../portal/console-visitor.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run } from '../support/fixture.ts'
import { nextInstant } from '../support/next-instant.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

const CLIENT = { clientId: 'https://assistant.example', clientName: 'Assistant' }
const OPEN = { credentialStatus: 'active', customerPortalEnabled: 1, enableApiAccess: 1 } as const

describe.each(databases)('an app that somebody connected, on %s', (kind) => {
  let test: TestService
  let partnerId: string
  let ada: string
  let ida: string
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    partnerId = (await makePartnerRow(test.service)).id
    ada = await identity('ada@example.com')
    ida = await identity('ida@example.com')
  })

  const identity = (email: string, of = partnerId) =>
    test.service.database.transaction((tx) => addIdentity(tx, of, email))
  /** At a customer of theirs, or as one of the partner's own people. */
  const connect = async (
    person: { identityId: string } | { partnerUserId: string },
    customerId?: string,
    { of = partnerId, client = CLIENT } = {}
  ) => {
    await nextInstant()
    const membership = customerId === undefined ? undefined : { customerId, teamMemberId: null }
    const app = { person, membership, client, scopes: ['memory:read'] as const, requestId: 'req_test' }
    return test.service.database.transaction((tx) => connectApp(tx, of, app))
  }
  const tokenOf = async (appId: string) => {
    const token = randomToken()
    const payload = { grantId: appId, scope: 'memory:read' }
    await openRecords(test.service.database, 'AccessToken').save(token, payload, 600)
    return token
  }
  const apps = async (of = partnerId) => {
    const all = test.service.database.read.selectFrom('connectedApp').where('partnerId', '=', of)
    return all.select(['id', 'identityId', 'revokedAt']).orderBy('createdAt').execute()
  }
  const active = async (identityId: string) =>
    (await apps()).filter((app) => app.revokedAt === null && app.identityId === identityId).length
  const verify = (gateway: 'customer' | 'partner', token: string) =>
    verifyAccessToken(test.service.database.read, gateway, token)

  it('is one of 50 of theirs, and of 100 that ended', async () => {
    const { id: customerId } = await makeCustomerRow(test.service, partnerId, {
      ...OPEN,
      ownerIdentityId: ada
    })
    const first = await connect({ identityId: ada }, customerId)
    const token = await tokenOf(first)
    for (let i = 0; i < 30; i += 1) await connect({ identityId: ida }, customerId)
    for (let i = 0; i < 49; i += 1) await connect({ identityId: ada }, customerId)
    expect([await active(ada), await active(ida)]).toEqual([50, 30])
    await expect(verify('customer', token)).resolves.toMatchObject({ caller: { actor: first } })
    await connect({ identityId: ada }, customerId)
    expect([await active(ada), await active(ida)]).toEqual([50, 30])
    expect((await apps()).find(({ id }) => id === first)?.revokedAt).not.toBe(null)
    await expect(verify('customer', token)).rejects.toMatchObject({ code: 'unauthorized' })
    await test.service.database.transaction(async (tx) => {
      const all = { identityId: ada, customerId }
      expect(await endApps(tx, partnerId, all)).toBe(50)
      expect(await endApps(tx, partnerId, all)).toBe(0)
    })
    for (let i = 0; i < 53; i += 1) await connect({ identityId: ada }, customerId)
    await test.service.database.transaction((tx) => endApps(tx, partnerId, { identityId: ada }))
    await connect({ identityId: ada }, customerId)
    const ended = (await apps()).filter(({ revokedAt }) => revokedAt !== null)
    expect(ended).toHaveLength(100)
    expect(ended.some(({ id }) => id === first)).toBe(false)
    expect([await active(ada), await active(ida)]).toEqual([1, 30])
  }, 60_000)

  it('is known to who connected it, and to nobody else', async () => {
    const { id: customerId } = await makeCustomerRow(test.service, partnerId, {
      ...OPEN,
      ownerIdentityId: ada
    })
    await connect({ identityId: ada }, customerId)
    const { clientId } = CLIENT
    const other = await makePartnerRow(test.service)
    const known = (of: string, identityId: string, id = clientId) =>
      isKnownClient(test.service.database.read, of, { identityId, clientId: id })
    expect(await known(partnerId, ada)).toBe(true)
    expect(await known(partnerId, ida)).toBe(false)
    expect(await known(partnerId, ada, 'https://other.example')).toBe(false)
    expect(await known(other.id, ada)).toBe(false)
  })

  it('ends itself alone, of whichever partner', async () => {
    const other = (await makePartnerRow(test.service)).id
    const mine = await connect({ identityId: ada })
    const theirs = await connect({ identityId: await identity('eve@example.com', other) }, undefined, {
      of: other
    })
    await endAppItself(test.service.database, 'app_nobody')
    await endAppItself(test.service.database, theirs)
    expect([(await apps())[0]?.revokedAt, (await apps(other))[0]?.revokedAt]).toEqual([
      null,
      expect.any(String)
    ])
    await endAppItself(test.service.database, mine)
    expect((await apps())[0]?.revokedAt).not.toBe(null)
    const acts = test.service.database.read.selectFrom('audit').where('action', '=', 'app_end')
    const noted = await acts
      .where('partnerId', 'in', [partnerId, other])
      .select(['actor', 'targetId'])
      .execute()
    expect(noted.toSorted((a, b) => (a.actor < b.actor ? -1 : 1))).toEqual(
      [mine, theirs].toSorted().map((id) => ({ actor: id, targetId: id }))
    )
  })

  it('of the partner’s people is listed apart from the customers’', async () => {
    const partner = await makePartner(test.service)
    const of = partner.partnerId
    const colleague = await makeColleague(test.service, of, 'owner')
    const { id: customerId } = await makeCustomerRow(test.service, of)
    const own = await connect({ partnerUserId: colleague.id }, undefined, { of })
    const customers = await connect({ identityId: await identity('bob@example.com', of) }, customerId, { of })
    for (const id of [own, customers]) await tokenOf(id)
    const listed = async (name: string, input = {}) => {
      const { data } = await run(test.service, of, name, input)
      return Array.isArray(data) ? data.map(({ appId }) => appId) : data
    }
    expect(await listed('partner_app_list')).toEqual([own])
    expect(await listed('customer_app_list', { customerId })).toEqual([customers])
  })

  it('opens one gateway, and says which', async () => {
    const { id: customerId } = await makeCustomerRow(test.service, partnerId, {
      ...OPEN,
      ownerIdentityId: ada
    })
    const colleague = await makeColleague(test.service, partnerId, 'owner')
    const customers = await tokenOf(await connect({ identityId: ada }, customerId))
    const partners = await tokenOf(await connect({ partnerUserId: colleague.id }))
    expect((await verify('customer', customers)).caller).toMatchObject({ partnerId, customerId })
    expect((await verify('partner', partners)).caller).toMatchObject({ partnerId })
    await expect(verify('partner', customers)).rejects.toThrow('opens /api/mcp alone')
    await expect(verify('customer', partners)).rejects.toThrow('opens /api/partner-mcp alone')
  })

  it('opens nothing once whoever it is for is gone', async () => {
    const { id: customerId } = await makeCustomerRow(test.service, partnerId, {
      ...OPEN,
      ownerIdentityId: ada
    })
    const colleague = await makeColleague(test.service, partnerId, 'owner')
    const customers = await connect({ identityId: ada }, customerId)
    const partners = await connect({ partnerUserId: colleague.id })
    const tokens = { customers: await tokenOf(customers), partners: await tokenOf(partners) }
    const without = (columns: Record<string, null>, id: string) =>
      test.service.database.transaction((tx) =>
        tx.updateTable('connectedApp').set(columns).where('id', '=', id).execute()
      )
    await without({ partnerUserId: null }, partners)
    await expect(verify('partner', tokens.partners)).rejects.toMatchObject({ code: 'access_closed' })
    await without({ identityId: null }, customers)
    await expect(verify('customer', tokens.customers)).rejects.toMatchObject({ code: 'access_closed' })
    await test.service.database.transaction((tx) =>
      tx
        .updateTable('connectedApp')
        .set({ identityId: ada, customerId: null })
        .where('id', '=', customers)
        .execute()
    )
    await expect(verify('customer', tokens.customers)).rejects.toMatchObject({ code: 'access_closed' })
  })
})
