// A key counts as what the database says at that moment, whoever wrote it there.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { revokeApiKey, verifyApiKey } from '../../src/keys/credentials.ts'
import { tokenHash } from '../../src/keys/token.ts'
import { databases } from '../support/databases.ts'
import { makePartner, type TestPartner } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('verifying an API key on %s', (kind) => {
  let opened: TestService
  /** As another process has it. */
  let beside: Database
  let partner: TestPartner

  beforeAll(async () => {
    opened = await openTestService(kind)
    const { databaseLocation: location, busyDeadlineMs } = opened.service.config
    beside = await openDatabase({ location, busyDeadlineMs, maxConnections: 2, onIdleError: () => undefined })
  })
  afterAll(async () => {
    await beside.close()
    await opened.close()
  })
  beforeEach(async () => {
    partner = await makePartner(opened.service, ['customers:read', 'plans:read'])
    await verify()
  })

  const verify = () => verifyApiKey(opened.service.database.read, partner.key)

  it('knows the partner and the scopes', async () => {
    const { caller } = await verify()
    expect(caller).toEqual({
      partnerId: partner.partnerId,
      actor: partner.keyId,
      scopes: new Set(['customers:read', 'plans:read'])
    })
  })

  it('refuses a key that begins like another one', async () => {
    await beside.transaction((tx) =>
      tx
        .updateTable('apiKey')
        .set({ hash: tokenHash('another') })
        .where('id', '=', partner.keyId)
        .execute()
    )
    await expect(verify()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('refuses the key from the moment on that another process revokes it', async () => {
    await beside.transaction((tx) => revokeApiKey(tx, partner.partnerId, partner.keyId))
    await expect(verify()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('refuses the key from the moment on that another process switches its partner off', async () => {
    await beside.transaction((tx) =>
      tx.updateTable('partner').set({ isActive: 0 }).where('id', '=', partner.partnerId).execute()
    )
    await expect(verify()).rejects.toMatchObject({ code: 'partner_inactive' })
  })

  it('grants no more than the scopes that another process leaves the key', async () => {
    await beside.transaction((tx) =>
      tx.updateTable('apiKey').set({ scopes: '["plans:read"]' }).where('id', '=', partner.keyId).execute()
    )
    expect((await verify()).caller.scopes).toEqual(new Set(['plans:read']))
  })
})
