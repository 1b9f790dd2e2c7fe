// At which of our addresses a request came in: that is who the authorization server says it is, and where its pages are.
import type { Context } from 'hono'
import type { Provider } from 'oidc-provider'
import type { GatewayName } from '../../src/connected-apps/store.ts'
import type { Service } from '../../src/service.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { originOf, portalOfHost, requestHost } from '../portal/addresses.ts'
import type { PartnerPortal } from '../portal/env.ts'
import { gatewayMeant, METADATA_PATH } from './resources.ts'

export interface OauthPlace {
  issuer: string
  /** The partner's own portal, where the whole host is that. */
  portal: PartnerPortal | undefined
}

export async function placeOf(service: Service, c: Context<RequestEnv>): Promise<OauthPlace> {
  const hosted = await portalOfHost(service, requestHost(c))
  const { publicUrl } = service.config
  const isOurs = publicUrl !== undefined && hosted === undefined
  const issuer = isOurs ? new URL(publicUrl).origin : originOf(c, service.config, hosted?.approvedOrigin)
  return { issuer, portal: hosted?.portal }
}

/**
 * Where a client reads how to sign in at the gateway that it asked; nothing where nobody can: a partner's own hosts have no
 * console.
 */
export async function resourceMetadataAt(service: Service, c: Context<RequestEnv>, gateway: GatewayName) {
  const { issuer, portal } = await placeOf(service, c)
  return gateway === 'partner' && portal ? undefined : issuer + METADATA_PATH + c.req.path.replace(/\/+$/, '')
}

/** Of more addresses than that the first is made anew when it is asked again. */
const MAX_KNOWN = 100
const servers = new WeakMap<Service, Map<string, Promise<Provider>>>()

/** The authorization server at that address. */
export function providerAt(service: Service, { issuer, portal }: OauthPlace): Promise<Provider> {
  const providers = servers.get(service) ?? new Map<string, Promise<Provider>>()
  servers.set(service, providers)
  const name = `${issuer} ${portal === undefined}`
  const known = providers.get(name)
  if (known) return known
  const [oldest] = providers.keys()
  if (oldest !== undefined && providers.size >= MAX_KNOWN) providers.delete(oldest)
  const provider = makeProvider(service, issuer, portal !== undefined)
  providers.set(name, provider)
  return provider
}

async function makeProvider(service: Service, issuer: string, isOwnHost: boolean): Promise<Provider> {
  const { createProvider } = await import('./provider.ts')
  return createProvider(service, issuer, ({ resource, portal }, uid) => {
    const isConsole = gatewayMeant(issuer, String(resource)) === 'partner'
    const base = isConsole ? '/console' : isOwnHost ? '' : `/portal/${encodeURIComponent(String(portal))}`
    return `${base}/connect/${uid}`
  })
}
