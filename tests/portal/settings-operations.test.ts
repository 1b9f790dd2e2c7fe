// What only the console offers: each partner works on what is its own, leaves a trace, and gets no secret back.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CONSOLE_SCOPES } from '../../schemas/api-key.ts'
import { mintApiKey, verifyApiKey } from '../../src/keys/credentials.ts'
import { operations } from '../../src/operations.ts'
import { insertPlan } from '../../src/plans/store.ts'
import { unsealProviderKey } from '../../src/voice-agents/providers/keys.ts'
import { png } from '../brand/images.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, stringAt, type TestPartner } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { refused, settingsActs } from './settings-acts.ts'

describe.each(databases)('the settings’ operations on %s', (kind) => {
  let opened: TestService
  let mine: TestPartner
  let theirs: TestPartner
  const { act, listed, lastAct } = settingsActs(() => opened)

  beforeAll(async () => {
    opened = await openTestService(kind)
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    mine = await makePartner(opened.service)
    theirs = await makePartner(opened.service)
  })

  describe('on API keys', () => {
    it('make a key with just the scopes given, which works at once', async () => {
      const minted = await act(mine, 'api_key_mint', { name: 'CRM', scopes: ['plans:read'] })
      const { caller } = await verifyApiKey(opened.service.database.read, stringAt(minted, 'key'))
      expect([caller.partnerId, [...caller.scopes]]).toEqual([mine.partnerId, ['plans:read']])
      const fields = ['name', 'scopes', 'expiresAt']
      expect(await lastAct(mine)).toMatchObject({ action: 'api_key_mint', targetType: 'api_key', fields })
    })

    it('show a key once: neither a repeated form nor the list has it', async () => {
      const first = await act(mine, 'api_key_mint', { name: 'CRM' }, 'form-1')
      const again = await act(mine, 'api_key_mint', { name: 'CRM' }, 'form-1')
      expect(again).toMatchObject({ keyId: first.keyId, key: null })
      const keys = await listed(mine, 'api_key_list')
      expect(keys).toHaveLength(2)
      const key = stringAt(first, 'key')
      expect(JSON.stringify(keys)).not.toContain(key)
      expect(JSON.stringify(await everyRow(opened.service))).not.toContain(key)
      expect(opened.logs.join()).not.toContain(key)
    })

    it.each(CONSOLE_SCOPES)('give a key nothing of the console’s own: %s', async (scope) => {
      const attempt = act(mine, 'api_key_mint', { name: 'CRM', scopes: ['customers:read', scope] })
      await expect(attempt).rejects.toEqual(refused('invalid_input', 'scopes.1'))
    })

    it('refuse an end in the past, and take one that is still to come', async () => {
      const input = { name: 'CRM', expiresAt: '2020-01-01T00:00:00Z' }
      await expect(act(mine, 'api_key_mint', input)).rejects.toEqual(refused('invalid_input', 'expiresAt'))
      const expiresAt = '2999-01-01T00:00:00.000Z'
      expect(await act(mine, 'api_key_mint', { name: 'CRM', expiresAt })).toMatchObject({ expiresAt })
    })

    it('refuse more than a hundred that work; revoked and expired ones leave room', async () => {
      const one = { name: 'one', scopes: ['plans:read' as const] }
      const keyId = await opened.service.database.transaction(async (tx) => {
        const past = { ...one, expiresAt: '2020-01-01T00:00:00Z' }
        for (let i = 0; i < 5; i += 1) await mintApiKey(tx, mine.partnerId, past)
        for (let i = 0; i < 98; i += 1) await mintApiKey(tx, mine.partnerId, one)
        return (await mintApiKey(tx, mine.partnerId, one)).keyId
      })
      await expect(act(mine, 'api_key_mint', one)).rejects.toEqual(refused('invalid_input'))
      await act(theirs, 'api_key_mint', one)
      await act(mine, 'api_key_revoke', { keyId })
      await act(mine, 'api_key_mint', one)
      await expect(act(mine, 'api_key_mint', one)).rejects.toEqual(refused('invalid_input'))
    })

    it('revoke a key for good, once', async () => {
      await act(mine, 'api_key_revoke', { keyId: mine.keyId })
      expect(await lastAct(mine)).toMatchObject({ action: 'api_key_revoke', fields: ['revokedAt'] })
      await expect(verifyApiKey(opened.service.database.read, mine.key)).rejects.toEqual(
        refused('unauthorized')
      )
      const again = act(mine, 'api_key_revoke', { keyId: mine.keyId })
      await expect(again).rejects.toEqual(refused('api_key_not_found', 'keyId'))
    })

    it('leave another partner’s key as it is, as if there were none', async () => {
      const before = await everyRow(opened.service)
      for (const keyId of [theirs.keyId, 'key_nothing']) {
        const attempt = act(mine, 'api_key_revoke', { keyId })
        await expect(attempt).rejects.toEqual(refused('api_key_not_found', 'keyId'))
      }
      expect(await everyRow(opened.service)).toEqual(before)
      expect(JSON.stringify(await listed(mine, 'api_key_list'))).not.toContain(theirs.keyId)
    })
  })

  describe('on plans', () => {
    it('create a plan and list it by its kind, a page at a time, newest first', async () => {
      const create = (name: string, kindOf: string) =>
        act(mine, 'plan_create', { name, kind: kindOf, features: { trialDays: 14, enableAiMemory: true } })
      await create('Small', 'subscription')
      await create('Credits', 'credit')
      const created = await create('Large', 'subscription')
      expect(await listed(mine, 'plan_list', { kind: 'subscription' })).toMatchObject([
        { ...Object(created.data), features: { trialDays: 14, enableAiMemory: true } },
        { name: 'Small' }
      ])
      const second = await act(mine, 'plan_list', { page: 2, limit: 2 })
      expect(second).toMatchObject({
        data: [{ name: 'Small' }],
        pagination: { totalCount: 3, totalPages: 2, hasNextPage: false }
      })
      expect(await lastAct(mine)).toMatchObject({
        action: 'plan_create',
        targetId: at(created, 'data', 'planId'),
        fields: ['enableAiMemory', 'trialDays']
      })
    })

    it('keep to the partner’s own', async () => {
      const { planId } = await opened.service.database.transaction((tx) =>
        insertPlan(tx, theirs.partnerId, { name: 'Theirs', kind: 'subscription', features: {} })
      )
      expect(await listed(mine, 'plan_list')).toEqual([])
      expect(await listed(mine, 'plan_list', { planId })).toEqual([])
      expect(await listed(theirs, 'plan_list', { planId })).toMatchObject([{ planId }])
    })

    it('are five hundred at most', async () => {
      const plan = { name: 'Pro', kind: 'subscription' as const, features: {} }
      await opened.service.database.transaction(async (tx) => {
        for (let i = 0; i < 500; i += 1) await insertPlan(tx, mine.partnerId, plan)
      })
      await expect(act(mine, 'plan_create', plan)).rejects.toEqual(refused('invalid_input'))
      await act(theirs, 'plan_create', plan)
    })

    it('refuse a feature that there isn’t', async () => {
      const input = { name: 'P', kind: 'subscription', features: { isAdmin: true } }
      await expect(act(mine, 'plan_create', input)).rejects.toEqual(
        refused('invalid_input', 'features.isAdmin')
      )
    })
  })

  describe('on the brand', () => {
    it('change what is given, take away what is null, and leave the rest', async () => {
      await act(mine, 'brand_update', { name: 'Acme', accentColor: '#0f766e', supportEmail: 'a@example.com' })
      await act(mine, 'brand_update', { supportEmail: null, supportUrl: 'https://example.com/help' })
      expect(await act(mine, 'brand_get')).toMatchObject({
        data: {
          slug: mine.slug,
          name: 'Acme',
          accentColor: '#0f766e',
          supportEmail: null,
          supportUrl: 'https://example.com/help',
          logo: null
        }
      })
      expect(await act(theirs, 'brand_get')).toMatchObject({ data: { name: null, accentColor: null } })
      expect(await lastAct(mine)).toMatchObject({
        action: 'brand_update',
        fields: ['supportEmail', 'supportUrl']
      })
    })

    it('lose nothing when two changes come at once', async () => {
      const changes = [{ name: 'Acme' }, { accentColor: '#111111' }, { supportEmail: 'b@example.com' }]
      await Promise.all(changes.map((change) => act(mine, 'brand_update', change)))
      expect(at(await act(mine, 'brand_get'), 'data')).toMatchObject(Object.assign({}, ...changes))
    })

    it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://example.com', 'example.com'])(
      'refuse %s as a support page',
      async (supportUrl) => {
        const attempt = act(mine, 'brand_update', { supportUrl })
        await expect(attempt).rejects.toEqual(refused('invalid_input', 'supportUrl'))
      }
    )

    it.each(['red', '#fff', '#12345g', 'url(x)'])('refuse %s as a colour', async (accentColor) => {
      const attempt = act(mine, 'brand_update', { accentColor })
      await expect(attempt).rejects.toEqual(refused('invalid_input', 'accentColor'))
    })

    it('keep one logo, replace it and remove it', async () => {
      const image = (width: number) => png({ width, height: 40 }).toString('base64')
      const first = await act(mine, 'brand_logo_set', { image: image(40) })
      const second = await act(mine, 'brand_logo_set', { image: image(80) })
      expect(second).toMatchObject({ data: { logo: { width: 80, height: 40 } } })
      expect(at(second, 'data', 'logo', 'hash')).not.toBe(at(first, 'data', 'logo', 'hash'))
      expect(await act(theirs, 'brand_get')).toMatchObject({ data: { logo: null } })
      expect(await act(theirs, 'brand_logo_remove')).toMatchObject({
        message: 'There was no logo to remove.'
      })
      expect(await act(mine, 'brand_get')).toMatchObject({ data: { logo: { width: 80 } } })
      expect(await act(mine, 'brand_logo_remove')).toMatchObject({ data: { logo: null } })
    })

    it('change nothing for a file that is no image', async () => {
      const before = await everyRow(opened.service)
      const image = Buffer.from('<svg/>').toString('base64')
      await expect(act(mine, 'brand_logo_set', { image })).rejects.toEqual(refused('invalid_input', 'image'))
      expect(await everyRow(opened.service)).toEqual(before)
    })
  })

  describe('on providers’ keys', () => {
    const KEY = 'vapi-4f6c1d2e-secret'

    it('keep a key sealed and answer only that there is one', async () => {
      const untested = { testedAt: null, testError: null }
      const answer = await act(mine, 'provider_key_set', { provider: 'a', key: KEY }, 'form-1')
      expect(await listed(mine, 'provider_key_list')).toEqual([
        { provider: 'a', isSet: true, updatedAt: expect.any(String), ...untested },
        { provider: 'b', isSet: false, updatedAt: null, ...untested }
      ])
      const { database, secrets } = opened.service
      expect(
        await unsealProviderKey(database.read, secrets, { partnerId: mine.partnerId, provider: 'a' })
      ).toBe(KEY)
      const kept = JSON.stringify([answer, await everyRow(opened.service), opened.logs])
      expect(kept).not.toContain(KEY)
      expect(await lastAct(mine)).toMatchObject({ action: 'provider_key_set', targetId: 'a' })
    })

    it('touch no other partner’s', async () => {
      await act(theirs, 'provider_key_set', { provider: 'a', key: KEY })
      const before = await everyRow(opened.service)
      for (const name of ['provider_key_remove', 'provider_key_test']) {
        await expect(act(mine, name, { provider: 'a' })).rejects.toEqual(refused('provider_key_not_found'))
      }
      expect(await everyRow(opened.service)).toEqual(before)
      expect(await listed(mine, 'provider_key_list')).toMatchObject([{ isSet: false }, { isSet: false }])
    })

    it.each(['', 'two words', 'line\nbreak', 'ключ', 'x'.repeat(501)])('refuse %j as a key', async (key) => {
      const attempt = act(mine, 'provider_key_set', { provider: 'b', key })
      await expect(attempt).rejects.toEqual(refused('invalid_input', 'key'))
    })

    it('forget a key', async () => {
      await act(mine, 'provider_key_set', { provider: 'b', key: KEY })
      await act(mine, 'provider_key_remove', { provider: 'b' })
      expect(await listed(mine, 'provider_key_list')).toMatchObject([{ isSet: false }, { isSet: false }])
    })
  })
})

it('no key reaches what only the console offers, over REST or MCP', () => {
  const settings =
    /^(api_key|provider_key|brand|mail|partner_user)_|^plan_create$|^customer_token_|_app_(list|end)$/
  const found = operations.filter(({ name }) => settings.test(name))
  expect(found.length).toBeGreaterThanOrEqual(26)
  for (const { name, channels } of found) {
    expect([name, channels.filter((channel) => channel === 'rest' || channel === 'mcp')]).toEqual([name, []])
  }
  // And a customer's portal reaches its own tokens and apps alone.
  const inPortal = found.filter(({ channels }) => channels.includes('portal')).map(({ name }) => name)
  expect(inPortal.toSorted()).toEqual([
    ...['customer_app_end', 'customer_app_list'],
    ...['customer_token_list', 'customer_token_mint', 'customer_token_revoke']
  ])
})
