// The two gateways as OAuth knows them: the address that a token is for, and the scopes that do anything there.
import type { AnyScope } from '../../schemas/api-key.ts'
import { CUSTOMER_SCOPES } from '../../schemas/customer-token.ts'
import type { GatewayName } from '../../src/connected-apps/store.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'

const PATHS: Record<GatewayName, string> = { customer: '/api/mcp', partner: '/api/partner-mcp' }

const isListedTool = ({ channels, isUnlisted }: AnyOperation): boolean =>
  channels.includes('mcp') && !isUnlisted

export const SCOPES_OF_GATEWAY: Record<GatewayName, readonly AnyScope[]> = {
  customer: CUSTOMER_SCOPES,
  partner: [...new Set(operations.filter(isListedTool).map(({ scope }) => scope))]
}

export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks'
}

/** Names that a request under way goes by in its browser. */
export const COOKIES = {
  interaction: 'mindgate_connect',
  resume: 'mindgate_connect_back',
  session: 'mindgate_as'
}

export const METADATA_PATH = '/.well-known/oauth-protected-resource'

export const resourceOf = (origin: string, gateway: GatewayName): string => origin + PATHS[gateway]

/** The gateway that is at that path or above it: groups of tools are the same gateway. */
export function gatewayAt(path: string): GatewayName | undefined {
  const [, name] = /^\/api\/(mcp|partner-mcp)(?:\/|$)/.exec(path) ?? []
  return name === undefined ? undefined : name === 'mcp' ? 'customer' : 'partner'
}

/**
 * The gateway that a client means, however it writes its address: with a slash at the end, which would cost the whole chain
 * of tokens at one refresh, or with a group's path.
 */
export function gatewayMeant(origin: string, resource: string | null): GatewayName | undefined {
  if (resource === null || !URL.canParse(resource)) return undefined
  const url = new URL(resource)
  return url.origin === origin && url.search === '' && url.hash === '' ? gatewayAt(url.pathname) : undefined
}
