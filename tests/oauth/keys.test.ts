// Keys and tokens of one's own work where apps sign in, and nothing but their challenge says that one could.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { CUSTOMER_SCOPES } from '../../schemas/customer-token.ts'
import { startSites } from '../portal/sites.ts'
import { makeKey, run, stringAt } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { connectApp } from './apps.ts'
import { bareCall, fieldsOf } from './bare-call.ts'
import { makeOwner, makeStaff } from './people.ts'

let server: TestServer
let tokens: { customer: string; reader: string; ofApp: string; ofStaff: string }
beforeAll(async () => {
  server = await startSites('sqlite', { CREDITS_INITIAL: '1000' })
  const { service, partner, url } = server
  const { customerId, decision } = await makeOwner(server)
  const mint = async (changes: Record<string, unknown> = {}) =>
    stringAt(
      await run(service, partner.partnerId, 'customer_token_mint', { customerId, name: 'n8n', ...changes }),
      'token'
    )
  const app = await connectApp(url, { gateway: '/api/mcp', decision })
  const staff = await makeStaff(server, partner)
  const ofPartner = await connectApp(url, { gateway: '/api/partner-mcp', decision: staff })
  tokens = {
    customer: await mint(),
    reader: await mint({ scopes: ['memory:read'] }),
    ofApp: app.token(),
    ofStaff: ofPartner.token()
  }
  await app.close()
  await ofPartner.close()
})
afterAll(() => server.close())

const atCustomer = (token?: string, tool = 'internal_memory_recall', input = {}) =>
  bareCall(`${server.url}/api/mcp`, { token, tool, input })
const scopesIn = (challenge: string) => /scope="([^"]+)"/.exec(challenge)?.[1]?.split(' ').sort()
const atPartner = (token?: string, headers = {}) =>
  bareCall(`${server.url}/api/partner-mcp`, { token, tool: 'customer_list', headers })

describe('a gateway that people sign in to', () => {
  it('takes a customer’s token as ever', async () => {
    expect(await atCustomer(tokens.customer)).toMatchObject({ status: 200, code: undefined })
    expect(await atCustomer(tokens.ofApp)).toMatchObject({ status: 200, code: undefined })
  })

  it('takes an API key as ever, by the older header, too', async () => {
    const { key } = server.partner
    expect(await atPartner(key)).toMatchObject({ status: 200, code: undefined })
    expect(await atPartner(undefined, { 'x-api-key': key })).toMatchObject({ status: 200 })
    expect(await atPartner(tokens.ofStaff)).toMatchObject({ status: 200, code: undefined })
    // That header is for keys alone.
    expect(await atPartner(undefined, { 'x-api-key': tokens.ofStaff })).toMatchObject({ status: 401 })
  })

  it('says of a missing scope what it always said, where a token of one’s own lacks it', async () => {
    const input = { content: 'The dog is called Rex.' }
    expect(await atCustomer(tokens.reader, 'internal_memory_remember', input)).toMatchObject({
      status: 200,
      code: 'missing_scope'
    })
    expect((await atCustomer(tokens.customer, 'internal_memory_remember', input)).code).toBeUndefined()
    const { key } = await makeKey(server.service, server.partner.partnerId, { scopes: ['plans:read'] })
    expect(await atPartner(key)).toMatchObject({ status: 200, code: 'missing_scope' })
  })

  it('challenges who sends nothing, without calling that an error', async () => {
    const [customer, partner] = [await atCustomer(), await atPartner()]
    for (const [answer, path] of [
      [customer, '/api/mcp'],
      [partner, '/api/partner-mcp']
    ] as const) {
      expect(answer.status).toBe(401)
      expect(answer.challenge).toContain(
        `resource_metadata="${server.url}/.well-known/oauth-protected-resource${path}"`
      )
      expect(answer.challenge).not.toContain('error=')
    }
    expect(scopesIn(customer.challenge)).toEqual([...CUSTOMER_SCOPES].sort())
    expect(scopesIn(partner.challenge)).toContain('customers:read')
    for (const scope of scopesIn(partner.challenge) ?? []) expect(SCOPES).toContain(scope)
  })

  it('challenges who sends what opens nothing, and says so', async () => {
    const nobodys = { app: 'x'.repeat(43), token: 'mct_nobodys', key: 'pkt_nobodys' }
    for (const answer of [
      await atCustomer(nobodys.app),
      await atCustomer(nobodys.token),
      await atPartner(nobodys.app),
      await atPartner(nobodys.key)
    ]) {
      expect(answer.status).toBe(401)
      expect(answer.challenge).toContain('error="invalid_token"')
      expect(answer.challenge).toContain('resource_metadata=')
    }
  })

  it('is not opened by what opens the other', async () => {
    expect((await atPartner(tokens.ofApp)).status).toBe(401)
    expect((await atCustomer(tokens.ofStaff)).status).toBe(401)
    expect((await atPartner(tokens.customer)).status).toBe(401)
    expect((await atCustomer(server.partner.key)).status).toBe(401)
  })

  it('describes itself for groups of its tools as well', async () => {
    const { challenge } = await bareCall(`${server.url}/api/mcp/readonly`, {})
    const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
    const described = await fieldsOf(await fetch(address))
    expect(described.resource).toBe(`${server.url}/api/mcp`)
    expect((await bareCall(`${server.url}/api/mcp/readonly`, { token: tokens.ofApp })).status).toBe(200)
  })
})

it('lets an app’s token do nothing at the API for programs', async () => {
  const call = (key: string) => server.api('GET', '/customers', { key })
  expect((await call(server.partner.key)).status).toBe(200)
  expect((await call(tokens.ofStaff)).status).toBe(401)
})
