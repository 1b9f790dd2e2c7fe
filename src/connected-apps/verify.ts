// Who calls with an access token of the authorization server's: asked of the database at every call, so that what was
// taken away from a person is gone from its apps at once.
import { z } from 'zod'
import type { AnyScope } from '../../schemas/api-key.ts'
import { PARTNER_ROLES } from '../../schemas/partner-user.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { refuseBlocked } from '../customers/blocked.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { tokenHash } from '../keys/token.ts'
import { membershipsOf, SCOPES_OF_ROLE } from '../portal-access/memberships.ts'
import type { GatewayName } from './store.ts'

/** 256 random bits in base64url. */
const ACCESS_TOKEN = /^[\w-]{43}$/

/** Whether a bearer token could be one of an app that somebody connected. */
export const isAccessToken = (token: string): boolean => ACCESS_TOKEN.test(token)

const Payload = z.object({ scope: z.string().default('') })

const appsByToken = compiledOnce((db, digest: Slot<string>) =>
  db
    .selectFrom('oauthRecord as token')
    .innerJoin('connectedApp as app', 'app.id', 'token.appId')
    .innerJoin('partner', 'partner.id', 'app.partnerId')
    .leftJoin('partnerUser', 'partnerUser.id', 'app.partnerUserId')
    .leftJoin('customer', 'customer.id', 'app.customerId')
    .where('token.kind', '=', 'AccessToken')
    .where('token.id', '=', digest)
    .where('app.revokedAt', 'is', null)
    .select(['token.payload', 'token.expiresAt', 'app.id', 'app.gateway', 'app.partnerId', 'app.customerId'])
    .select(['app.identityId', 'app.teamMemberId', 'app.lastUsedAt'])
    .select(['partner.isActive', 'customer.credentialStatus', 'partnerUser.role'])
)

/**
 * Who let the app in, as far as they still may themselves.
 *
 * @throws ServiceError `unauthorized` for a token that is unknown, has ended or is the other gateway's; `partner_inactive`;
 * `access_closed`, `api_access_disabled` where the person may no longer (§7: 401, 403)
 */
export async function verifyAccessToken(
  db: ReadHandle,
  gateway: GatewayName,
  token: string
): Promise<{ caller: Caller; lastUsedAt: string | null }> {
  const [found] = await appsByToken(db, tokenHash(token))
  if (!found || (found.expiresAt ?? '') <= now()) {
    throw new ServiceError('unauthorized', 'This access token is not valid, or has ended. Sign in again.')
  }
  if (found.gateway !== gateway) {
    const its = found.gateway === 'partner' ? '/api/partner-mcp' : '/api/mcp'
    throw new ServiceError('unauthorized', `This access token opens ${its} alone. Sign in at this address.`)
  }
  if (!found.isActive) throw new ServiceError('partner_inactive')
  const asked = new Set(Payload.parse(JSON.parse(found.payload)).scope.split(' '))
  const { id: actor, partnerId, customerId, identityId, teamMemberId, lastUsedAt } = found
  const callerWith = (grantable: ReadonlySet<AnyScope>) => {
    const scopes = new Set([...grantable].filter((scope) => asked.has(scope)))
    return { partnerId, actor, grantable, scopes }
  }
  if (gateway === 'partner') {
    if (found.role === null) throw new ServiceError('access_closed')
    return { caller: callerWith(PARTNER_ROLES[found.role].scopes), lastUsedAt }
  }
  if (customerId === null || identityId === null) throw new ServiceError('access_closed')
  if (found.credentialStatus) refuseBlocked(found.credentialStatus)
  const [membership] = await membershipsOf(db, partnerId, identityId, { customerId, teamMemberId })
  if (!membership) throw new ServiceError('access_closed')
  if (!membership.features.hasApiAccess) throw appsAreOff()
  return { caller: { ...callerWith(SCOPES_OF_ROLE[membership.role]), customerId }, lastUsedAt }
}

/** Why a customer's people connect nothing. */
export const appsAreOff = (): ServiceError =>
  new ServiceError(
    'api_access_disabled',
    'Access by apps and tokens of one’s own is switched off for this customer. Ask the provider to switch it on.'
  )
