// What an app reads before it asks anybody: all of it, since what stands there by mistake is used.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { CUSTOMER_SCOPES } from '../../schemas/customer-token.ts'
import { providerAt } from '../../servers/oauth/place.ts'
import { gatewayAt, gatewayMeant } from '../../servers/oauth/resources.ts'
import { updatePartner } from '../../src/partners/store.ts'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { fetchFrom } from './reached.ts'

const OURS = 'https://mindgate.example'
const ACME = 'https://portal.acme.example'
const RESOURCE = '/.well-known/oauth-protected-resource'

let server: TestServer
let look: string
let fetchHere: typeof fetch
beforeAll(async () => {
  server = await startSites('sqlite', { PUBLIC_URL: OURS })
  fetchHere = fetchFrom(server.url)
  const { partnerId } = server.partner
  await server.service.database.transaction((tx) => updatePartner(tx, partnerId, { portalOrigin: ACME }))
  const partners = server.service.database.read.selectFrom('partner').where('id', '=', partnerId)
  look = (await partners.select('name').executeTakeFirstOrThrow()).name
})
afterAll(() => server.close())

/** No tool is for these. */
const WITHOUT_TOOLS = ['audit:read', 'billing:write']
const isOfTools = (scopes: readonly string[]) =>
  scopes.toSorted().join() ===
  SCOPES.filter((one) => !WITHOUT_TOOLS.includes(one))
    .toSorted()
    .join()

const read = async (address: string): Promise<unknown> => {
  const answer = await fetchHere(address)
  return answer.status === 200 ? answer.json() : answer.status
}

describe('an authorization server', () => {
  it.each(['oauth-authorization-server', 'openid-configuration'])(
    'says what it does, in %s',
    async (name) => {
      expect(await read(`${ACME}/.well-known/${name}`)).toEqual({
        issuer: ACME,
        authorization_endpoint: `${ACME}/oauth/authorize`,
        token_endpoint: `${ACME}/oauth/token`,
        registration_endpoint: `${ACME}/oauth/register`,
        revocation_endpoint: `${ACME}/oauth/revoke`,
        jwks_uri: `${ACME}/oauth/jwks`,
        scopes_supported: expect.toSatisfy(isOfTools),
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        request_uri_parameter_supported: false,
        // OpenID's, which the library names all the same.
        claim_types_supported: ['normal'],
        claims_parameter_supported: false,
        claims_supported: ['sub', 'sid', 'auth_time', 'iss'],
        id_token_signing_alg_values_supported: ['ES256'],
        subject_types_supported: ['public']
      })
    }
  )

  it('is the one of the public address wherever no partner’s host was asked', async () => {
    const told = await read(`${server.url}/.well-known/oauth-authorization-server`)
    expect(told).toMatchObject({ issuer: OURS })
  })

  it('shows no part of its key that is secret', async () => {
    expect(await read(`${OURS}/oauth/jwks`)).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          use: 'sig',
          alg: 'ES256',
          kid: expect.any(String),
          x: expect.any(String),
          y: expect.any(String)
        }
      ]
    })
  })
})

describe('a gateway', () => {
  const customers = (origin: string, name: string) => ({
    resource: `${origin}/api/mcp`,
    resource_name: `${name} memory`,
    authorization_servers: [origin],
    scopes_supported: CUSTOMER_SCOPES,
    bearer_methods_supported: ['header']
  })

  it.each(['', '/api/mcp', '/api/mcp/readonly', '/api/mcp/'])(
    'of customers is told at “%s”',
    async (path) => {
      expect(await read(OURS + RESOURCE + path)).toEqual(customers(OURS, 'Mindgate'))
      expect(await read(ACME + RESOURCE + path)).toEqual(customers(ACME, look))
    }
  )

  it('of the partner is told at our own address alone', async () => {
    const told = await read(`${OURS}${RESOURCE}/api/partner-mcp`)
    expect(told).toMatchObject({ resource: `${OURS}/api/partner-mcp`, resource_name: 'Mindgate' })
    expect(Object(told).scopes_supported).toSatisfy(isOfTools)
    expect(await read(`${ACME}${RESOURCE}/api/partner-mcp`)).toBe(404)
  })

  it('is none at another path, nor below one', async () => {
    for (const path of ['/api', '/api/mcp2', '/x/api/mcp', '/api/v1/mcp'])
      expect([path, await read(OURS + RESOURCE + path)]).toEqual([path, 404])
    expect([gatewayAt('/api/partner-mcp/x/memory'), gatewayAt('/x/api/mcp')]).toEqual(['partner', undefined])
  })

  it('is meant by its own address and nothing that is added to it', () => {
    for (const address of [`${OURS}/api/mcp`, `${OURS}/api/mcp/`, `${OURS}/api/mcp/readonly`])
      expect([address, gatewayMeant(OURS, address)]).toEqual([address, 'customer'])
    for (const address of [`${OURS}/api/mcp?a=b`, `${OURS}/api/mcp#a`, `${ACME}/api/mcp`, '/api/mcp', null])
      expect([address, gatewayMeant(OURS, address)]).toEqual([address, undefined])
  })
})

it('of a hundred addresses each keeps its server, and of one more the first is made anew', async () => {
  const { service } = server
  const at = (n: number, portal = false) =>
    providerAt(service, {
      issuer: `https://p${n}.example`,
      portal: portal ? { partnerId: '', slug: '', base: '', look: Object(null), language: 'en' } : undefined
    })
  const made = Array.from({ length: 100 }, (_, n) => at(n))
  expect(made.map((_, n) => at(n) === made[n])).toEqual(made.map(() => true))
  expect(at(100)).toBe(at(100))
  expect(made.map((_, n) => n > 0 && at(n) === made[n])).toEqual(made.map((_, n) => n > 0))
  expect(at(0)).not.toBe(made[0])
  expect(at(5, true)).not.toBe(at(5))
  for (const one of made) await one
})
