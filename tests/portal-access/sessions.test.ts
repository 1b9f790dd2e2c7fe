// How long which session lasts, what it notes of whom, and which ones end with what.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, fromNow, HOUR_MS, MINUTE_MS, now } from '../../src/clock.ts'
import type { CustomerTable } from '../../src/customers/table.ts'
import { addIdentity } from '../../src/portal-access/identities.ts'
import {
  beginSession,
  endSession,
  endSessionsOfCustomer,
  endSessionsOfPartner,
  isSeenStale,
  keptAgent,
  type NewSession,
  recordSeen
} from '../../src/portal-access/sessions.ts'
import { makeColleague } from '../portal/console-visitor.ts'
import { databases } from '../support/databases.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('sessions on %s', (kind) => {
  let test: TestService
  let partnerId: string
  let ada: string
  let ida: string
  let customer: CustomerTable
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    partnerId = (await makePartnerRow(test.service)).id
    const { transaction } = test.service.database
    ada = await transaction((tx) => addIdentity(tx, partnerId, 'ada@example.com'))
    ida = await transaction((tx) => addIdentity(tx, partnerId, 'ida@example.com'))
    customer = await makeCustomerRow(test.service, partnerId, { ownerIdentityId: ada })
  })

  const begin = (session: NewSession) => test.service.database.transaction((tx) => beginSession(tx, session))
  const sessions = () =>
    test.service.database.read
      .selectFrom('session')
      .where('partnerId', '=', partnerId)
      .selectAll()
      .orderBy('userAgent')
      .execute()
  const agents = async () => (await sessions()).map(({ userAgent }) => userAgent)
  const inPortal = (identityId: string, customerId: string | null, userAgent = ''): NewSession => ({
    ...{ site: 'portal', partnerId, identityId, userAgent },
    membership: customerId === null ? undefined : { customerId, teamMemberId: null }
  })
  const identitiesSeen = async () => {
    const rows = test.service.database.read.selectFrom('identity').where('lastSeenAt', 'is not', null)
    return (await rows.where('partnerId', '=', partnerId).select('id').execute()).map(({ id }) => id)
  }

  const HOUR = { idle: 1, absolute: 1, isNoted: false }
  it.each([
    ['in a portal', {}, { idle: 7 * 24, absolute: 30 * 24, isNoted: true }],
    ['with a portal to choose', { membership: undefined }, HOUR],
    ['with a password to choose', { mustChangePassword: true }, HOUR],
    ['with a factor to give', { pending: 'factor' }, HOUR],
    ['with a factor to set up', { pending: 'set-up' }, HOUR],
    ['whose factor was given', { pending: null }, { idle: 7 * 24, absolute: 30 * 24, isNoted: true }]
  ] as const)('%s last as long as they are good for something', async (_, more, wanted) => {
    await begin({ ...inPortal(ada, customer.id), ...more } as NewSession)
    const [session] = await sessions()
    const hours = (at = '') => Math.round((Date.parse(at) - Date.now()) / HOUR_MS)
    expect([hours(session?.idleExpiresAt), hours(session?.expiresAt)]).toEqual([wanted.idle, wanted.absolute])
    expect(await identitiesSeen()).toEqual(wanted.isNoted ? [ada] : [])
  })

  it.each([
    ['in the console', null, 12, 7 * 24],
    ['with a factor to give before it', 'factor', 1, 1]
  ] as const)('%s last as long, and note who signed in', async (_, pending, idle, absolute) => {
    const colleagues = [
      await makeColleague(test.service, partnerId, 'owner'),
      await makeColleague(test.service, partnerId, 'support')
    ]
    const { read, transaction } = test.service.database
    await transaction((tx) => tx.updateTable('partnerUser').set({ lastSignInAt: null }).execute())
    const id = colleagues[0]?.id ?? ''
    await begin({ site: 'console', partnerId, partnerUserId: id, userAgent: 'browser', pending })
    const session = (await sessions()).find(({ userAgent }) => userAgent === 'browser')
    const hours = (at = '') => Math.round((Date.parse(at) - Date.now()) / HOUR_MS)
    expect([hours(session?.idleExpiresAt), hours(session?.expiresAt)]).toEqual([idle, absolute])
    const users = read.selectFrom('partnerUser').where('lastSignInAt', 'is not', null).select('id')
    expect(await users.execute()).toEqual(pending ? [] : [{ id }])
  })

  it('note being in use once a minute, each for itself', async () => {
    const { database } = test.service
    const noted = async (sinceMs: number) => {
      const lastSeenAt = fromNow(-sinceMs)
      await database.transaction(async (tx) => {
        await tx.deleteFrom('session').execute()
        await tx.updateTable('identity').set({ lastSeenAt: null }).execute()
      })
      await begin(inPortal(ada, customer.id, 'a'))
      await begin(inPortal(ida, customer.id, 'b'))
      await database.transaction(async (tx) => {
        await tx.updateTable('session').set({ lastSeenAt }).execute()
        await tx.updateTable('identity').set({ lastSeenAt: null }).execute()
      })
      const [session] = await sessions()
      if (!session) throw new Error('There is no session.')
      expect(isSeenStale(session)).toBe(sinceMs > MINUTE_MS)
      await recordSeen(database, session)
      const seen = (await sessions()).map((one) => one.lastSeenAt > fromNow(-MINUTE_MS / 4))
      return { seen, identities: await identitiesSeen() }
    }
    expect(await noted(MINUTE_MS / 2)).toEqual({ seen: [false, false], identities: [] })
    expect(await noted(2 * MINUTE_MS)).toEqual({ seen: [true, false], identities: [ada] })
  })

  it('keep what of a User-Agent can be shown', () => {
    expect(keptAgent(undefined)).toBe('')
    expect(keptAgent('Mozilla\u0000/5.0 (Größe)\n')).toBe('Mozilla/5.0 (Gre)')
    expect(keptAgent('x'.repeat(1_000))).toBe('x'.repeat(300))
  })

  it('end one by one, for who they are', async () => {
    await begin(inPortal(ada, customer.id))
    const [{ id } = { id: '' }] = await sessions()
    const end = (identityId: string) =>
      test.service.database.transaction((tx) => endSession(tx, partnerId, { identityId }, id))
    expect([await end(ida), await end(ada), await end(ada)]).toEqual([false, true, false])
  })

  it('end with a customer’s: all in its portal, and what its owner has half begun', async () => {
    const other = await makeCustomerRow(test.service, partnerId)
    const { transaction } = test.service.database
    const beginAll = async () => {
      await transaction((tx) => tx.deleteFrom('session').where('partnerId', '=', partnerId).execute())
      await begin(inPortal(ada, customer.id, 'owner'))
      await begin(inPortal(ada, null, 'owner, half begun'))
      await begin(inPortal(ada, other.id, 'owner, elsewhere'))
      await begin(inPortal(ida, customer.id, 'team'))
      await begin(inPortal(ida, null, 'team, half begun'))
    }
    await beginAll()
    await transaction((tx) => endSessionsOfCustomer(tx, customer))
    expect(await agents()).toEqual(['owner, elsewhere', 'team, half begun'])
    await beginAll()
    await transaction((tx) => endSessionsOfCustomer(tx, { ...customer, ownerIdentityId: null }))
    expect(await agents()).toEqual(['owner, elsewhere', 'owner, half begun', 'team, half begun'])
  })

  it('end with a partner’s, and none of another’s', async () => {
    await begin(inPortal(ada, customer.id, 'ours'))
    const other = await makePartnerRow(test.service)
    const { transaction } = test.service.database
    await transaction((tx) => endSessionsOfPartner(tx, other.id))
    expect(await agents()).toEqual(['ours'])
    await transaction((tx) => endSessionsOfPartner(tx, partnerId))
    expect(await agents()).toEqual([])
  })

  it('are stale a minute after they were seen', () => {
    const seen = (lastSeenAt: string) => isSeenStale({ id: '', site: 'portal', lastSeenAt })
    expect([seen(now()), seen(fromNow(-MINUTE_MS + 5_000)), seen(fromNow(-DAY_MS))]).toEqual([
      false,
      false,
      true
    ])
  })
})
