// A customer's token counts as what the database says at that moment, whoever wrote it there.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import {
  listCustomerTokens,
  mintCustomerToken,
  revokeCustomerToken,
  verifyApiKey,
  verifyCustomerToken
} from '../../src/keys/credentials.ts'
import { tokenHash } from '../../src/keys/token.ts'
import { updatePartner } from '../../src/partners/store.ts'
import { databases } from '../support/databases.ts'
import { makePartner, type TestPartner } from '../support/fixture.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('a customer’s token on %s', (kind) => {
  let opened: TestService
  /** As another process has it. */
  let beside: Database
  let partner: TestPartner
  let customerId: string
  let minted: Awaited<ReturnType<typeof mintCustomerToken>>

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
    partner = await makePartner(opened.service)
    customerId = (await makeCustomerRow(opened.service, partner.partnerId)).id
    minted = await mint({ name: 'assistant' })
  })

  const mint = (options: Parameters<typeof mintCustomerToken>[3]) =>
    opened.service.database.transaction((tx) => mintCustomerToken(tx, partner.partnerId, customerId, options))
  const verify = (token = minted.token) => verifyCustomerToken(opened.service.database.read, token)
  const list = () => listCustomerTokens(opened.service.database.read, partner.partnerId, customerId)

  it('is mct_ with 49 characters, may read and write, and has no end unless told otherwise', () => {
    expect(minted.token).toMatch(/^mct_[0-9A-Za-z]{49}$/)
    expect(minted).toMatchObject({ scopes: ['memory:read', 'memory:write'], expiresAt: null })
  })

  it('is kept once it has ended as long as a hundred newer ones have not, and takes none of another customer’s', async () => {
    const expiresAt = fromNow(-1_000)
    const owner = customerId
    customerId = (await makeCustomerRow(opened.service, partner.partnerId)).id
    const theirs = await mint({ name: 'theirs', expiresAt })
    customerId = owner
    const ended = [await mint({ name: 'ended', expiresAt })]
    while (ended.length < 102) ended.push(await mint({ name: 'ended', expiresAt }))
    const kept = (await list()).map(({ tokenId }) => tokenId)
    expect(kept).toHaveLength(101)
    expect(kept).toContain(minted.tokenId)
    await expect(verify(theirs.token)).rejects.toThrow('has expired')
  })

  it('tells the customer, its partner and the scopes', async () => {
    const { token, tokenId } = await mint({ name: 'reader', scopes: ['memory:read'] })
    expect((await verify(token)).caller).toEqual({
      partnerId: partner.partnerId,
      customerId,
      actor: tokenId,
      scopes: new Set(['memory:read'])
    })
  })

  it('is kept as a hash only', async () => {
    const rows = await opened.service.database.read.selectFrom('customerToken').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(minted.token.slice(12))
    expect(rows).toContainEqual(expect.objectContaining({ hash: tokenHash(minted.token) }))
  })

  it.each([
    ['nothing', ''],
    ['a word', 'nonsense'],
    ['a mistyped end', (token: string) => token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')],
    ['another kind', (token: string) => token.replace(/^mct/, 'pkt')],
    ['two at once', (token: string) => `${token} ${token}`]
  ])('is unauthorized when it is %s', async (_case, text) => {
    const token = typeof text === 'string' ? text : text(minted.token)
    await expect(verify(token)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('is none of the other kind: each opens its own channels', async () => {
    await expect(verify(partner.key)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(verifyApiKey(opened.service.database.read, minted.token)).rejects.toMatchObject({
      code: 'unauthorized'
    })
  })

  it('is unauthorized once it has expired', async () => {
    const current = await mint({ name: 'current', expiresAt: fromNow(60_000) })
    const expired = await mint({ name: 'expired', expiresAt: fromNow(-1) })
    await expect(verify(current.token)).resolves.toBeDefined()
    await expect(verify(expired.token)).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'This token has expired.'
    })
  })

  it('is unauthorized from the moment on that another process revokes it', async () => {
    await verify()
    const revoke = () =>
      beside.transaction((tx) => revokeCustomerToken(tx, partner.partnerId, customerId, minted.tokenId))
    expect(await revoke()).toBe(true)
    await expect(verify()).rejects.toMatchObject({ code: 'unauthorized', message: 'This token was revoked.' })
    expect(await revoke()).toBe(false)
  })

  it('can be revoked only as its own customer’s and its own partner’s', async () => {
    const other = await makePartner(opened.service)
    const sibling = await makeCustomerRow(opened.service, partner.partnerId)
    const revoke = (partnerId: string, id: string) =>
      beside.transaction((tx) => revokeCustomerToken(tx, partnerId, id, minted.tokenId))
    expect(await revoke(other.partnerId, customerId)).toBe(false)
    expect(await revoke(partner.partnerId, sibling.id)).toBe(false)
    await expect(verify()).resolves.toBeDefined()
  })

  it('is refused as inactive from the moment on that another process switches its partner off', async () => {
    await verify()
    await beside.transaction((tx) => updatePartner(tx, partner.partnerId, { isActive: false }))
    await expect(verify()).rejects.toMatchObject({ code: 'partner_inactive' })
  })

  it('is unauthorized once its customer’s record is gone', async () => {
    await beside.transaction((tx) => tx.deleteFrom('customer').where('id', '=', customerId).execute())
    await expect(verify()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('is listed with the customer’s others, without what opens a channel', async () => {
    const { tokenId } = await mint({ name: 'second', scopes: ['memory:read'] })
    const stranger = await makeCustomerRow(opened.service, partner.partnerId)
    await opened.service.database.transaction((tx) =>
      mintCustomerToken(tx, partner.partnerId, stranger.id, { name: 'not mine' })
    )
    const listed = await list()
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['assistant', 'second'])
    expect(listed).toContainEqual({
      tokenId,
      name: 'second',
      prefix: expect.stringMatching(/^mct_.{8}$/),
      scopes: ['memory:read'],
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      createdAt: expect.any(String)
    })
  })

  it('can’t be minted with a scope of the partner’s', async () => {
    const scopes: never[] = JSON.parse('["customers:read"]')
    await expect(mint({ name: 'greedy', scopes })).rejects.toThrow(/Invalid/)
  })
})
