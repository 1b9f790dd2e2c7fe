// What somebody can make more and more of: sessions by signing in, tokens by minting and revoking.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintCustomerToken, revokeCustomerToken } from '../../src/keys/credentials.ts'
import { addIdentity } from '../../src/portal-access/identities.ts'
import { beginSession } from '../../src/portal-access/sessions.ts'
import { databases } from '../support/databases.ts'
import { nextInstant } from '../support/next-instant.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())

  it('whoever signs in again and again has 100 sessions, the newest', async () => {
    const { database } = test.service
    const { id: partnerId } = await makePartnerRow(test.service)
    const [ada, ida] = await database.transaction(async (tx) => [
      await addIdentity(tx, partnerId, 'ada@example.com'),
      await addIdentity(tx, partnerId, 'ida@example.com')
    ])
    const begin = async (identityId: string, userAgent: string) => {
      await nextInstant()
      const session = { site: 'portal', partnerId, identityId, mustChangePassword: false, userAgent } as const
      await database.transaction((tx) => beginSession(tx, { ...session, membership: undefined }))
    }
    await begin(ida ?? '', 'other')
    for (let i = 1; i <= 103; i += 1) await begin(ada ?? '', `${i}`)
    const rows = await database.read
      .selectFrom('session')
      .where('partnerId', '=', partnerId)
      .select('userAgent')
      .orderBy('createdAt')
      .execute()
    expect(rows.map(({ userAgent }) => userAgent)).toEqual([
      'other',
      ...Array.from({ length: 100 }, (_, i) => `${i + 4}`)
    ])
  })

  it('of tokens that ended the newest 100 are kept, and every one that works', async () => {
    const { database } = test.service
    const { id: partnerId } = await makePartnerRow(test.service)
    const { id: customerId } = await makeCustomerRow(test.service, partnerId)
    const mint = async (name: string) => {
      await nextInstant()
      return database.transaction((tx) =>
        mintCustomerToken(tx, partnerId, customerId, { name, scopes: ['memory:read'] })
      )
    }
    await mint('works')
    for (let i = 1; i <= 105; i += 1) {
      const { tokenId } = await mint(`${i}`)
      await database.transaction((tx) => revokeCustomerToken(tx, partnerId, customerId, tokenId))
    }
    await mint('works, too')
    const rows = await database.read
      .selectFrom('customerToken')
      .where('customerId', '=', customerId)
      .select('name')
      .orderBy('createdAt')
      .execute()
    expect(rows.map(({ name }) => name)).toEqual([
      'works',
      ...Array.from({ length: 100 }, (_, i) => `${i + 6}`),
      'works, too'
    ])
  })
})
