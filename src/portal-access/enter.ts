// From the door into a portal: after a temporary password was replaced, or when there are several to choose from.
import type { Database, WriteHandle } from '../database/database.ts'
import { type Membership, membershipsOf } from './memberships.ts'
import type { Visitor } from './passwords.ts'
import { beginSession, endSession } from './sessions.ts'
import { keepPortalPassword, newPasswordHash } from './set-password.ts'
import { accessClosed, portalTenant } from './sign-in.ts'

/** Who stands at the door, by which session. */
export interface AtTheDoor extends Visitor {
  partnerId: string
  identityId: string
  sessionId: string
  userAgent: string | undefined
}

/** Names a membership in a form. */
export const membershipKey = ({ customerId, teamMemberId }: Membership): string => teamMemberId ?? customerId

/**
 * Replaces a temporary password and goes in: to the one portal there is, or to choose among several.
 *
 * @returns the new session's token; the old one has ended
 * @throws ServiceError `invalid_input` with the field `password`, `access_closed`, `rate_limited`
 */
export async function replaceTemporaryPassword(
  database: Database,
  visitor: AtTheDoor,
  { requestId, ...choice }: { password: string; email: string; requestId: string }
): Promise<string> {
  const { partnerId, identityId, userAgent } = visitor
  const passwordHash = await newPasswordHash(choice, portalTenant(partnerId), visitor)
  const token = await database.transaction(async (tx) => {
    await keepPortalPassword(tx, { partnerId, identityId, requestId }, passwordHash)
    const memberships = await membershipsOf(tx, partnerId, identityId)
    if (memberships.length === 0) return undefined
    return begin(tx, partnerId, identityId, memberships.length === 1 ? memberships[0] : undefined, userAgent)
  })
  if (token === undefined) throw accessClosed()
  return token
}

/**
 * Goes into the portal of that key, and out of the one before.
 *
 * @returns the new session's token; `undefined` when that portal isn't open to them
 */
export async function choosePortal(
  database: Database,
  { partnerId, identityId, sessionId, userAgent }: AtTheDoor,
  key: string
): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const memberships = await membershipsOf(tx, partnerId, identityId)
    const chosen = memberships.find((membership) => membershipKey(membership) === key)
    // A session that ended meanwhile chooses nothing any more.
    if (!chosen || !(await endSession(tx, partnerId, { identityId }, sessionId))) return undefined
    return begin(tx, partnerId, identityId, chosen, userAgent)
  })
}

const begin = (
  tx: WriteHandle,
  partnerId: string,
  identityId: string,
  membership: Membership | undefined,
  userAgent: string | undefined
): Promise<string> =>
  beginSession(tx, {
    door: 'portal',
    partnerId,
    identityId,
    membership,
    mustChangePassword: false,
    userAgent
  })
