// What the authorization server is asked over HTTP. Requests are read, bounded and put right here before the library sees
// them, and what it answers goes out as any other answer of ours.
import { type Context, Hono } from 'hono'
import { isSteppingUp, openRecords } from '../../src/connected-apps/records.ts'
import type { GatewayName } from '../../src/connected-apps/store.ts'
import { ServiceError } from '../../src/errors.ts'
import { overdrawn } from '../../src/limits/budget.ts'
import { createFailureCounter } from '../../src/limits/networks.ts'
import { partnerOfSlug, soleSlug } from '../../src/partners/portal-site.ts'
import type { Service } from '../../src/service.ts'
import { readBody } from '../middleware/body-limit.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { answerError } from '../middleware/error-answer.ts'
import { hostGuard } from '../middleware/host-guard.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { ClientMetadata } from './client-metadata.ts'
import { answerOauthError, askForPortal } from './pages.tsx'
import { type OauthPlace, placeOf, providerAt } from './place.ts'
import {
  COOKIES,
  gatewayAt,
  gatewayMeant,
  METADATA_PATH,
  ROUTES,
  resourceOf,
  SCOPES_OF_GATEWAY
} from './resources.ts'

const MAX_BODY_BYTES = 16_384
/** So many requests to sign in, and registrations, a network may make in an hour; a registration that is used stays. */
const PER_HOUR = { authorization: 300, registration: 100 }

export function oauthRoutes(service: Service): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>()
  const guard = hostGuard(service, (c, message) => answerError(c, new ServiceError('forbidden', message)))
  const limits = {
    authorization: createFailureCounter(service.config.secretKey, PER_HOUR.authorization, 3_600),
    registration: createFailureCounter(service.config.secretKey, PER_HOUR.registration, 3_600)
  }
  const spend = async (c: Context<RequestEnv>, what: keyof typeof limits): Promise<void> => {
    if (!service.rateLimits) return
    const { used, msLeft } = await limits[what](clientAddress(c, service.config.trustedProxies))
    if (used > PER_HOUR[what])
      throw overdrawn({ secondsLeft: Math.ceil(msLeft / 1_000) }, 'Too many requests of your network')
  }
  app.use('/oauth/*', guard)
  app.use('/.well-known/*', guard)
  app.onError((error, c) => answerError(c, error))

  app.get(METADATA_PATH, (c) => describeResource(c, '/api/mcp'))
  app.get(`${METADATA_PATH}/*`, (c) => describeResource(c, c.req.path.slice(METADATA_PATH.length)))
  for (const name of ['oauth-authorization-server', 'openid-configuration'])
    app.get(`/.well-known/${name}`, async (c) => {
      const answer = await ask(c, await placeOf(service, c), '/.well-known/oauth-authorization-server')
      // What the library always names is OpenID's, which we have none of, and answers in ways that we don't pass on.
      const ours = { scopes_supported: SCOPES_OF_GATEWAY.partner, response_modes_supported: ['query'] }
      return c.json({ ...Object(await answer.json()), ...ours })
    })
  app.get(ROUTES.authorization, async (c) => {
    const place = await placeOf(service, c)
    const query = new URL(c.req.url).searchParams
    await spend(c, 'authorization')
    const gateway = gatewayMeant(place.issuer, query.get('resource'))
    if (gateway === 'partner' && place.portal) return answerOauthError(c, NO_CONSOLE_HERE)
    if (gateway) narrow(query, place, gateway)
    // The library answers it in place of whatever else is named, or of nothing: there is no gateway.
    else query.set('resource', place.issuer)
    // The library answers by a page of its own as well, unless it doesn't know what is asked for.
    if ((query.get('response_mode') ?? 'query') !== 'query') query.set('response_mode', 'other')
    if (gateway === 'customer' && !place.portal) {
      const slug = query.get('portal') ?? (await soleSlug(service.database.read))
      if (slug === undefined || !(await partnerOfSlug(service.database.read, slug)))
        return askForPortal(c, place.issuer, query)
      query.set('portal', slug)
    } else query.delete('portal')
    return ask(c, place, `${ROUTES.authorization}?${query}`)
  })
  app.get(`${ROUTES.authorization}/:uid`, async (c) => ask(c, await placeOf(service, c), c.req.path))
  for (const path of [ROUTES.token, ROUTES.revocation])
    app.post(path, async (c) => {
      const place = await placeOf(service, c)
      const form = new URLSearchParams(new TextDecoder().decode(await readBody(c, MAX_BODY_BYTES)))
      const held = await heldBy(service, form)
      const gateway = gatewayMeant(place.issuer, form.get('resource') ?? String(held?.resource))
      if (gateway) form.set('resource', resourceOf(place.issuer, gateway))
      const clientId = form.get('client_id') ?? ''
      // Who brings nothing that a client got has us fetch no document of it: nobody counts what is asked for here.
      if (URL.canParse(clientId) && held?.clientId !== clientId)
        return path === ROUTES.revocation ? c.body(null, 200) : c.json(NOTHING_OF_IT, 400, NOT_KEPT)
      const budget = held?.grantId ? await service.rateLimits?.spend(String(held.grantId)) : undefined
      if (budget?.isOverdrawn) throw overdrawn(budget)
      // The library would use the token up before it finds out.
      if (held && path === ROUTES.token && !gateway) return c.json(OTHER_TARGET, 400, NOT_KEPT)
      if (form.has('refresh_token') && (await isSteppingUp(service.database, String(held?.grantId))))
        return c.json(ASK_USER, 503, NOT_KEPT)
      return ask(c, place, path, String(form))
    })
  app.post(ROUTES.registration, async (c) => {
    await spend(c, 'registration')
    const client = ClientMetadata.safeParse(jsonOf(await readBody(c, MAX_BODY_BYTES)))
    const body = JSON.stringify({ ...client.data, client_id: undefined })
    if (client.success) return ask(c, await placeOf(service, c), ROUTES.registration, body)
    const [issue] = client.error.issues
    const error = issue?.path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    const error_description = `${issue?.path.join('.') || 'The body'}: ${issue?.message}`
    return c.json({ error, error_description }, 400, NOT_KEPT)
  })
  app.get(ROUTES.jwks, async (c) => ask(c, await placeOf(service, c), ROUTES.jwks))
  return app

  /** RFC 9728. The partner's own hosts have no console, so nobody signs in to the partner gateway there. */
  async function describeResource(c: Context<RequestEnv>, path: string): Promise<Response> {
    const { issuer, portal } = await placeOf(service, c)
    const gateway = gatewayAt(path)
    if (!gateway || (gateway === 'partner' && portal))
      throw new ServiceError('not_found', 'There is no MCP gateway at this path.')
    return c.json({
      resource: resourceOf(issuer, gateway),
      resource_name: gateway === 'customer' ? `${portal?.look.name ?? 'Mindgate'} memory` : 'Mindgate',
      authorization_servers: [issuer],
      scopes_supported: SCOPES_OF_GATEWAY[gateway],
      bearer_methods_supported: ['header']
    })
  }

  /** Hands the library the request as if it had come to it, under the address that we know to be ours. */
  async function ask(c: Context<RequestEnv>, place: OauthPlace, url: string, payload?: string) {
    const provider = await providerAt(service, place)
    const { default: inject } = await import('light-my-request')
    const { protocol, host } = new URL(place.issuer)
    const isDecision = url.startsWith(ROUTES.authorization)
    const type = url === ROUTES.registration ? 'application/json' : 'application/x-www-form-urlencoded'
    const cookie = isDecision ? c.req.header('cookie') : undefined
    const answer = await inject(provider.callback(), {
      method: payload === undefined ? 'GET' : 'POST',
      url,
      remoteAddress: clientAddress(c, service.config.trustedProxies) ?? '',
      headers: {
        host,
        'x-forwarded-proto': protocol.slice(0, -1),
        accept: isDecision ? 'text/html' : 'application/json',
        ...(cookie === undefined ? {} : { cookie }),
        ...(payload === undefined ? {} : { 'content-type': type })
      },
      ...(payload === undefined ? {} : { payload })
    })
    const isPage = isDecision && answer.statusCode >= 400
    if (isPage) return answerOauthError(c, Object(jsonOf(answer.rawPayload)), answer.statusCode)
    const response = c.newResponse(answer.payload === '' ? null : answer.payload, answer.statusCode as 200)
    // The library names the type itself, and we keep nobody signed in by it.
    response.headers.delete('content-type')
    for (const [name, value] of Object.entries(answer.headers))
      for (const each of LEFT_OUT.test(name) ? [] : [value ?? []].flat())
        if (!String(each).startsWith(`${COOKIES.session}=`)) response.headers.append(name, String(each))
    return response
  }
}

/** What is said by ourselves, of the connection and to pages of other origins. */
const LEFT_OUT = /^(?:connection|date|content-length|transfer-encoding|keep-alive|vary|access-control-.*)$/

const NO_CONSOLE_HERE = {
  error: 'invalid_target',
  error_description: 'The partner gateway is signed in to at the service’s own address, where the console is.'
}

const NOT_KEPT = { 'Cache-Control': 'no-store' }
const OTHER_TARGET = { error: 'invalid_target', error_description: 'It isn’t for that resource.' }
/** Of all refusals the one after which the SDKs ask their user, and keep what they have meanwhile. */
const ASK_USER = { error: 'server_error', error_description: 'Ask the user for more, or wait a little.' }
const NOTHING_OF_IT = { error: 'invalid_grant', error_description: 'grant request is invalid' }

/** What we keep of the code or token that is brought. */
async function heldBy({ database }: Service, form: URLSearchParams) {
  for (const [field, kind] of BROUGHT) {
    const secret = form.get(field)
    const held = secret === null ? undefined : await openRecords(database, kind).find(secret)
    if (held) return held
  }
  return undefined
}

const BROUGHT = [
  ['code', 'AuthorizationCode'],
  ['refresh_token', 'RefreshToken'],
  ['token', 'RefreshToken'],
  ['token', 'AccessToken']
] as const

/** What isn't a scope of the gateway is left out, and whoever asks for none asks for all: people narrow it themselves. */
function narrow(query: URLSearchParams, { issuer }: OauthPlace, gateway: GatewayName): void {
  query.set('resource', resourceOf(issuer, gateway))
  const asked = new Set((query.get('scope') ?? '').split(' '))
  const all = SCOPES_OF_GATEWAY[gateway]
  const meant = all.filter((scope) => asked.has(scope))
  query.set('scope', (meant.length > 0 ? meant : all).join(' '))
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
