// Who calls, from the request's headers (§5). Shared by the REST and the MCP doors.
import type { Caller } from '../../src/caller.ts'
import { ServiceError } from '../../src/errors.ts'
import { isUseStale, recordKeyUse, verifyApiKey } from '../../src/keys/api-keys.ts'
import type { Service } from '../../src/service.ts'

/**
 * The partner behind `Authorization: Bearer pkt_…`, or behind the deprecated `X-API-Key` (§5, §9).
 *
 * @throws ServiceError `unauthorized` (401), `partner_not_found`, `partner_inactive` (403)
 */
export async function authenticatePartner(service: Service, headers: Headers): Promise<Caller> {
  const key = bearerToken(headers.get('authorization')) ?? headers.get('x-api-key')
  if (!key)
    throw new ServiceError('unauthorized', 'An API key is missing. Send `Authorization: Bearer pkt_…`.')
  const { caller, lastUsedAt } = await verifyApiKey(service.database.read, key)
  if (isUseStale(lastUsedAt)) service.inBackground(recordKeyUse(service.database, caller.actor))
  return caller
}

/** Whether the caller used the header that §9 deprecates. */
export const usesLegacyHeader = (headers: Headers): boolean =>
  !bearerToken(headers.get('authorization')) && headers.has('x-api-key')

function bearerToken(authorization: string | null): string | undefined {
  return authorization?.match(/^Bearer +(\S+) *$/i)?.[1]
}
