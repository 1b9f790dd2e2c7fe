// Who gets in, and which tools they see. Every request shows its key anew.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeApiKey } from '../../src/keys/credentials.ts'
import { operations } from '../../src/operations.ts'
import { updatePartner } from '../../src/partners/store.ts'
import { at, makeFixture, makeKey, makePartner } from '../support/fixture.ts'
import { clientHeaders, type GatewayServer, startGateway } from './gateway-server.ts'
import { call, modern, modernHeaders, request, toolNames } from './messages.ts'

const CHALLENGE = 'Bearer realm="mindgate", error="invalid_token"'

describe('keys and scopes', () => {
  let gateway: GatewayServer
  beforeAll(async () => {
    gateway = await startGateway('sqlite')
  })
  afterAll(() => gateway.close())

  const listWith = (key: string) => gateway.post(request('tools/list'), { Authorization: `Bearer ${key}` })
  const refusalOf = async (key: string) => {
    const { status, headers, json } = await listWith(key)
    return { status, challenge: headers['www-authenticate'], code: at(json, 'error', 'data', 'code') }
  }
  /** Where one reads how to sign in, and all that may be asked for. */
  const further = () => {
    const { origin, pathname } = new URL(gateway.url)
    const listed = operations.filter(({ channels, isUnlisted }) => channels.includes('mcp') && !isUnlisted)
    const scopes = [...new Set(listed.map(({ scope }) => scope))].join(' ')
    return `scope="${scopes}", resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname}"`
  }
  const unauthorized = () => ({ status: 401, challenge: `${CHALLENGE}, ${further()}`, code: 'unauthorized' })

  it('refuses a request without a key with 401 and a challenge, in either era', async () => {
    const { Authorization: _, ...headers } = clientHeaders('')
    const message = request('tools/list')
    const eras = [
      { body: message, more: {} },
      { body: modern(message), more: modernHeaders(message) }
    ]
    for (const { body, more } of eras) {
      const refused = await gateway.send({ headers: { ...headers, ...more }, body: JSON.stringify(body) })
      // RFC 6750 §3.1: who sent no token is told no error.
      const challenge = `Bearer realm="mindgate", ${further()}`
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, challenge])
      expect(at(refused.json, 'jsonrpc')).toBe('2.0')
    }
  })

  it('refuses an unknown key with 401', async () => {
    expect(await refusalOf('nonsense')).toEqual(unauthorized())
  })

  it('refuses a key of another kind with 401', async () => {
    expect(await refusalOf(gateway.partner.key.replace(/^pkt/, 'mct'))).toEqual(unauthorized())
  })

  it('refuses a key in the URL', async () => {
    const { Authorization: _, ...headers } = clientHeaders('')
    const url = new URL(`?access_token=${gateway.partner.key}`, gateway.url)
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(request('ping')) })
    expect(answer.status).toBe(401)
  })

  it('refuses an expired key with 401', async () => {
    const { key } = await makeKey(gateway.service, gateway.partner.partnerId, {
      expiresAt: '2020-01-01T00:00:00Z'
    })
    expect(await refusalOf(key)).toEqual(unauthorized())
  })

  it('refuses a key from the moment that it is revoked', async () => {
    const { keyId, key } = await makeKey(gateway.service, gateway.partner.partnerId)
    expect((await listWith(key)).status).toBe(200)
    await gateway.service.database.transaction((tx) => revokeApiKey(tx, gateway.partner.partnerId, keyId))
    expect(await refusalOf(key)).toEqual(unauthorized())
  })

  it('refuses the keys of an inactive partner with 403', async () => {
    const { partnerId, key } = await makePartner(gateway.service)
    await gateway.service.database.transaction((tx) => updatePartner(tx, partnerId, { isActive: false }))
    expect(await refusalOf(key)).toMatchObject({ status: 403, code: 'partner_inactive' })
  })

  it('refuses a key whose scopes open no tool with 403 and names those that would', async () => {
    const { status, challenge } = await refusalOf(await gateway.keyWith('audit:read'))
    expect(status).toBe(403)
    expect(challenge).toMatch(
      /^Bearer realm="mindgate", error="insufficient_scope", scope="[a-z: ]+", resource_metadata="[^"]+"$/
    )
    expect(challenge).toContain('customers:read')
  })

  it('never logs a key', async () => {
    await listWith(gateway.partner.key)
    await listWith(`${gateway.partner.key}x`)
    expect(gateway.logs.join('')).not.toContain(gateway.partner.key)
  })

  it('lists only the tools that the key’s scopes allow', async () => {
    const readable = operations.filter(
      ({ scope, channels }) => scope === 'customers:read' && channels.includes('mcp')
    )
    const { json } = await listWith(await gateway.keyWith('customers:read'))
    expect(toolNames(json)).toEqual(readable.map(({ name }) => name))
  })

  it('answers the call of a hidden tool with 403 missing_scope as a result', async () => {
    const key = await gateway.keyWith('customers:read')
    const { status, json } = await gateway.post(call('customer_create', { email: 'a@example.com' }), {
      Authorization: `Bearer ${key}`
    })
    expect(status).toBe(200)
    expect(at(json, 'result')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^403 missing_scope: .*customers:write/) }],
      _meta: { 'mindgate/error': { status: 403, code: 'missing_scope' } }
    })
  })

  it('answers another partner’s customer like one that doesn’t exist', async () => {
    const stranger = await makePartner(gateway.service)
    const { customerId } = await makeFixture(gateway.service, stranger.partnerId)
    const answers = await Promise.all(
      [customerId, 'cus_none'].map((id) => gateway.post(call('customer_get', { customerId: id })))
    )
    const [theirs, missing] = answers.map(({ json }) => JSON.stringify(at(json, 'result')))
    expect(theirs).toContain('404 customer_not_found')
    expect(theirs).toBe(missing)
  })
})
