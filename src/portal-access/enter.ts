// From a portal's sign-in page inside: after a temporary password was replaced, or when there are several to choose from.
import type { Database } from '../database/database.ts'
import { type Membership, membershipsOf } from './memberships.ts'
import type { Visitor } from './passwords.ts'
import { beginSession, endSession } from './sessions.ts'
import { keepPassword, newPasswordHash } from './set-password.ts'
import { accessClosed, enterPortal, portalTenant } from './sign-in.ts'

/** Somebody who isn't inside yet, and by which session. */
interface Newcomer extends Visitor {
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
  { partnerId, identityId, userAgent, ...visitor }: Newcomer,
  { requestId, ...choice }: { password: string; email: string; requestId: string }
): Promise<string> {
  const passwordHash = await newPasswordHash(choice, portalTenant(partnerId), visitor)
  const token = await database.transaction(async (tx) => {
    await keepPassword(tx, partnerId, { identityId }, { passwordHash, requestId })
    return enterPortal(tx, { partnerId, identityId, userAgent })
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
  { partnerId, identityId, sessionId, userAgent }: Newcomer,
  key: string
): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const memberships = await membershipsOf(tx, partnerId, identityId)
    const membership = memberships.find((membership) => membershipKey(membership) === key)
    // A session that ended meanwhile chooses nothing any more.
    if (!membership || !(await endSession(tx, partnerId, { identityId }, sessionId))) return undefined
    return beginSession(tx, { door: 'portal', partnerId, identityId, membership, userAgent })
  })
}
