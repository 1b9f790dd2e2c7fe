// Partner API keys at the channel (§5): who gets in, who doesn't, and when a use is recorded.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { revokeApiKey } from '../../src/keys/credentials.ts'
import { databases } from '../support/databases.ts'
import { makeKey, makePartner, type TestPartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe.each(databases)('a partner API key on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(kind)
  })
  afterAll(() => server.close())

  const list = (key: string) => server.api('GET', '/customers', { key })
  const lastUse = async (keyId: string) =>
    (
      await server.service.database.read
        .selectFrom('apiKey')
        .where('id', '=', keyId)
        .select('lastUsedAt')
        .executeTakeFirstOrThrow()
    ).lastUsedAt
  const setLastUse = (keyId: string, lastUsedAt: string) =>
    server.service.database.transaction((tx) =>
      tx.updateTable('apiKey').set({ lastUsedAt }).where('id', '=', keyId).execute()
    )
  const setActive = ({ partnerId }: TestPartner, isActive: 0 | 1) =>
    server.service.database.transaction((tx) =>
      tx.updateTable('partner').set({ isActive }).where('id', '=', partnerId).execute()
    )

  it('is 401 once it is revoked', async () => {
    const { keyId, key } = await makeKey(server.service, server.partner.partnerId)
    expect((await list(key)).status).toBe(200)
    await server.service.database.transaction((tx) => revokeApiKey(tx, server.partner.partnerId, keyId))
    const { status, body } = await list(key)
    expect([status, body.code]).toEqual([401, 'unauthorized'])
  })

  it('is 403 while its partner is inactive, and works again afterwards', async () => {
    const partner = await makePartner(server.service)
    await setActive(partner, 0)
    const { status, body, headers } = await list(partner.key)
    expect([status, body.code]).toEqual([403, 'partner_inactive'])
    expect(headers.get('www-authenticate')).toBeNull()
    await setActive(partner, 1)
    expect((await list(partner.key)).status).toBe(200)
  })

  it('is 403 when its partner is gone', async () => {
    const partner = await makePartner(server.service)
    await server.service.database.transaction((tx) =>
      tx.deleteFrom('partner').where('id', '=', partner.partnerId).execute()
    )
    const { status, body } = await list(partner.key)
    expect([status, body.code]).toEqual([403, 'partner_not_found'])
  })

  it('is recorded as used, at most once a minute', async () => {
    const { keyId, key } = await makeKey(server.service, server.partner.partnerId)
    await list(key)
    await vi.waitFor(async () => expect(await lastUse(keyId)).not.toBeNull())

    const recent = fromNow(-30_000)
    await setLastUse(keyId, recent)
    const old = await makeKey(server.service, server.partner.partnerId)
    const before = fromNow(-61_000)
    await setLastUse(old.keyId, before)
    await list(key)
    await list(old.key)
    expect(await lastUse(old.keyId)).toBe(before)
    await server.service.uses.flush()
    // Of another process it is known within ten seconds.
    await expect.poll(() => lastUse(old.keyId)).not.toBe(before)
    expect(await lastUse(keyId)).toBe(recent)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('opens the channel as a bearer token, in any case of the word Bearer', async () => {
    const { key } = server.partner
    expect((await list(key)).status).toBe(200)
    for (const Authorization of [`bearer ${key}`, `BEARER  ${key}`]) {
      expect((await server.api('GET', '/customers', { headers: { Authorization } })).status).toBe(200)
    }
  })

  it('opens the channel in the deprecated X-API-Key', async () => {
    const headers = { 'X-API-Key': server.partner.key }
    expect((await server.api('GET', '/customers', { headers })).status).toBe(200)
  })

  it('is no key in a query, a cookie or another scheme', async () => {
    const { key } = server.partner
    expect((await server.api('GET', `/customers?api_key=${key}`)).status).toBe(401)
    for (const headers of [
      { Cookie: `Authorization=${key}` },
      { Authorization: `Basic ${btoa(`${key}:`)}` },
      { Authorization: key },
      { Authorization: 'Bearer' }
    ]) {
      expect((await server.api('GET', '/customers', { headers })).status).toBe(401)
    }
  })

  it('is 401 once it has expired', async () => {
    const { partnerId } = server.partner
    const current = await makeKey(server.service, partnerId, { expiresAt: fromNow(60_000) })
    const expired = await makeKey(server.service, partnerId, { expiresAt: fromNow(-1) })
    expect((await list(current.key)).status).toBe(200)
    const { status, body } = await list(expired.key)
    expect([status, body.code]).toEqual([401, 'unauthorized'])
  })

  it('is 401 when it is the key of another, well-formed but never minted', async () => {
    const minted = await makePartner(server.service)
    await server.service.database.transaction((tx) =>
      tx.deleteFrom('apiKey').where('id', '=', minted.keyId).execute()
    )
    expect((await list(minted.key)).status).toBe(401)
  })
})
