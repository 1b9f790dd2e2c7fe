// The authorization server (OAuth 2.1 for MCP), which is oidc-provider's: this says what it may do, and where it keeps it.
// One for each address under which the service is asked, since that is who it says it is.
import { generateKeyPairSync } from 'node:crypto'
import { type Configuration, errors, Provider } from 'oidc-provider'
import { widestNetworkOf } from '../../src/limits/networks.ts'
import { AddressError } from '../../src/net/addresses.ts'
import { UpstreamError } from '../../src/net/fetch-json.ts'
import { fetchForeign } from '../../src/net/foreign-document.ts'
import type { Service } from '../../src/service.ts'
import { adapterFor } from './adapter.ts'
import { ClientDocument } from './client-metadata.ts'
import { COOKIES, gatewayMeant, ROUTES, SCOPES_OF_GATEWAY } from './resources.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const DOCUMENT_KEPT = { min: 10 * MINUTE, max: DAY }

const CLIENT_DOCUMENT = { timeoutMs: 2_500, maxBytes: 16_384 }

/** Signs nothing that anybody gets: the library wants one all the same. */
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

/** @param interactionUrl where a person decides, by the parameters of the request */
export function createProvider(
  service: Service,
  issuer: string,
  interactionUrl: (parameters: Record<string, unknown>, uid: string) => string
): Provider {
  const isHttps = issuer.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isHttps, signed: false } as const
  const configuration: Configuration = {
    adapter: (kind: string) => adapterFor(service, kind),
    routes: ROUTES,
    // Who signs in is ours to ask, so there are no claims, no ID tokens and no sessions.
    scopes: [],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [{ ...key, use: 'sig', alg: 'ES256' }] },
    pkce: { required: () => true },
    cookies: { names: COOKIES, long: cookie, short: cookie },
    allowOmittingSingleRegisteredRedirectUri: false,
    // The portal in which a customer's person signs in, where the address alone doesn't tell.
    extraParams: ['portal'],
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: {
        enabled: true,
        // Clients prove nothing but that they hold the token; it must be one of their own.
        allowedPolicy: (_, { clientId }, token) => token.clientId === clientId
      },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: DOCUMENT_KEPT },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo(_, resource) {
          const gateway = gatewayMeant(issuer, resource)
          if (!gateway) throw new errors.InvalidTarget('resource names no MCP gateway of this server')
          const scope = SCOPES_OF_GATEWAY[gateway].join(' ')
          return { scope, audience: resource, accessTokenFormat: 'opaque' }
        }
      }
    },
    // An app's id stands for whoever connected it; whether they still may is asked at each call.
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_, { uid, params }) => interactionUrl(params, uid) },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: 60 * MINUTE,
      AuthorizationCode: MINUTE,
      Interaction: 30 * MINUTE,
      Session: 30 * MINUTE,
      RefreshToken: 90 * DAY,
      Grant: 365 * DAY
    },
    // The page around it is ours: who asked for a page gets one made of this.
    renderError(ctx, out) {
      ctx.type = 'json'
      ctx.body = out
    },
    fetch: (url) => clientDocument(service, String(url))
  }
  const provider = new Provider(issuer, configuration)
  provider.proxy = true
  provider.on('server_error', (_, error) => service.log.error('the authorization server failed', { error }))
  return provider
}

/** What a client says at its own address, read and judged as what one says that registers. */
async function clientDocument({ config, log }: Service, url: string): Promise<Response> {
  const network = widestNetworkOf(Provider.ctx?.req.socket.remoteAddress)
  const options = { tenant: `oauth ${network}`, allowPrivate: config.oauthAllowPrivate, ...CLIENT_DOCUMENT }
  try {
    const { status, headers, body } = await fetchForeign(url, options)
    if (status !== 200) throw new UpstreamError('status', { status })
    const client = ClientDocument.parse(JSON.parse(body.toString('utf8')))
    const cacheControl = headers['cache-control']
    return Response.json(client, cacheControl ? { headers: { 'cache-control': cacheControl } } : {})
  } catch (error) {
    const fault = error instanceof UpstreamError || error instanceof AddressError ? error.fault : 'malformed'
    log.info('a client’s document was refused', { reason: fault })
    throw error
  }
}
