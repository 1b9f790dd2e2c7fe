// Who calls, from the request's headers (§5). Each kind of token is bound to its channels.
import type { Caller } from '../../src/caller.ts'
import type { GatewayName } from '../../src/connected-apps/store.ts'
import { isAccessToken, verifyAccessToken } from '../../src/connected-apps/verify.ts'
import { ServiceError } from '../../src/errors.ts'
import { verifyApiKey, verifyCustomerToken } from '../../src/keys/credentials.ts'
import type { Service } from '../../src/service.ts'

/** What opens each door, what is said without it, and to whom brings what opens the other. */
const DOORS = {
  partner: {
    kind: 'apiKey',
    verify: verifyApiKey,
    missing: 'An API key is missing. Send `Authorization: Bearer pkt_…`.',
    others: 'mct_',
    wrong:
      'This is a customer’s token, which opens /api/mcp. Here send an API key: `Authorization: Bearer pkt_…`.'
  },
  customer: {
    kind: 'customerToken',
    verify: verifyCustomerToken,
    missing: 'A token is missing. Send `Authorization: Bearer mct_…`.',
    others: 'pkt_',
    wrong:
      'This is a partner’s API key, which opens /api/partner-mcp. Here send a customer’s token: `Authorization: Bearer mct_…`.'
  }
} as const

/**
 * Who stands behind `Authorization: Bearer …`, or as a partner behind the deprecated `X-API-Key` (§5, §9).
 *
 * @param isForApps whether an app that somebody connected may come in, too
 * @throws ServiceError `unauthorized`, `partner_not_found`, `partner_inactive`, `access_closed`, `api_access_disabled`
 */
export async function authenticate(
  { database: { read }, uses }: Service,
  door: GatewayName,
  headers: Headers,
  isForApps = false
): Promise<Caller> {
  const { kind, verify, missing, others, wrong } = DOORS[door]
  const bearer = bearerToken(headers.get('authorization'))
  const token = bearer ?? (door === 'partner' ? headers.get('x-api-key') : null)
  if (!token) throw new ServiceError('unauthorized', missing)
  const isApp = isForApps && token === bearer && isAccessToken(token)
  if (!isApp && token.startsWith(others)) throw new ServiceError('unauthorized', wrong)
  const { caller, lastUsedAt } = await (isApp ? verifyAccessToken(read, door, token) : verify(read, token))
  uses.note(isApp ? 'connectedApp' : kind, caller.actor, lastUsedAt)
  return caller
}

/** Whether the caller used the header that §9 deprecates. */
export const usesLegacyHeader = (headers: Headers): boolean =>
  !bearerToken(headers.get('authorization')) && headers.has('x-api-key')

export const bearerToken = (authorization: string | null): string | undefined =>
  authorization?.match(/^Bearer +(\S+) *$/i)?.[1]
