// Who calls, from the request's headers (§5). Each kind of token is bound to its channels.
import type { Caller } from '../../src/caller.ts'
import type { GatewayName } from '../../src/connected-apps/store.ts'
import { isAccessToken, verifyAccessToken } from '../../src/connected-apps/verify.ts'
import { ServiceError } from '../../src/errors.ts'
import { verifyApiKey, verifyCustomerToken } from '../../src/keys/credentials.ts'
import type { Service } from '../../src/service.ts'

/**
 * The partner behind `Authorization: Bearer pkt_…`, or behind the deprecated `X-API-Key` (§5, §9).
 * @throws ServiceError `unauthorized`, `partner_not_found`, `partner_inactive`
 */
export async function authenticatePartner(service: Service, headers: Headers): Promise<Caller> {
  const key = bearerToken(headers.get('authorization')) ?? headers.get('x-api-key')
  if (!key)
    throw new ServiceError('unauthorized', 'An API key is missing. Send `Authorization: Bearer pkt_…`.')
  if (key.startsWith('mct_')) throw wrongDoor('This is a customer’s token', '/api/mcp', 'an API key', 'pkt_…')
  const { caller, lastUsedAt } = await verifyApiKey(service.database.read, key)
  service.uses.note('apiKey', caller.actor, lastUsedAt)
  return caller
}

/** The customer behind `Authorization: Bearer mct_…`. @throws ServiceError `unauthorized`, `partner_inactive` */
export async function authenticateCustomer(service: Service, headers: Headers): Promise<Caller> {
  const token = bearerToken(headers.get('authorization'))
  if (!token)
    throw new ServiceError('unauthorized', 'A token is missing. Send `Authorization: Bearer mct_…`.')
  if (token.startsWith('pkt_'))
    throw wrongDoor('This is a partner’s API key', '/api/partner-mcp', 'a customer’s token', 'mct_…')
  const { caller, lastUsedAt } = await verifyCustomerToken(service.database.read, token)
  service.uses.note('customerToken', caller.actor, lastUsedAt)
  return caller
}

/** Who calls a gateway: by its own kind of key or token, or by an app that somebody connected there. @throws ServiceError as those do */
export async function authenticateAt(
  service: Service,
  gateway: GatewayName,
  headers: Headers
): Promise<Caller> {
  const token = bearerToken(headers.get('authorization'))
  if (token === undefined || !isAccessToken(token)) {
    return gateway === 'partner'
      ? authenticatePartner(service, headers)
      : authenticateCustomer(service, headers)
  }
  const { caller, lastUsedAt } = await verifyAccessToken(service.database.read, gateway, token)
  service.uses.note('connectedApp', caller.actor, lastUsedAt)
  return caller
}

const wrongDoor = (what: string, where: string, wanted: string, example: string): ServiceError =>
  new ServiceError(
    'unauthorized',
    `${what}, which opens ${where}. Here send ${wanted}: \`Authorization: Bearer ${example}\`.`
  )

/** Whether the caller used the header that §9 deprecates. */
export const usesLegacyHeader = (headers: Headers): boolean =>
  !bearerToken(headers.get('authorization')) && headers.has('x-api-key')

export const bearerToken = (authorization: string | null): string | undefined =>
  authorization?.match(/^Bearer +(\S+) *$/i)?.[1]
