// Choosing a password: by the link of a mail, after a temporary one, or because one wants another.
import { now } from '../clock.ts'
import { endApps } from '../connected-apps/store.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import { deleteWhere, known, rowsWhere } from '../database/known.ts'
import { ServiceError } from '../errors.ts'
import { checkNewPassword, hashPassword, inTurn, type Visit, type Visitor } from './passwords.ts'
import { endSessions, idOf, type Person, recordOwnAct } from './sessions.ts'
import {
  accessClosed,
  CONSOLE_TENANT,
  enterPortal,
  portalTenant,
  type SignInContext,
  tryPassword
} from './sign-in.ts'
import type { SignedIn } from './visitors.ts'

/** A password that may be chosen, hashed before the transaction. @throws ServiceError `invalid_input`, `rate_limited` */
export async function newPasswordHash(
  { password, email }: { password: string; email: string },
  tenant: string,
  visitor: Visitor
): Promise<string> {
  checkNewPassword(password, email)
  return inTurn(tenant, visitor, () => hashPassword(password, tenant))
}

/** Keeps their password; every other way in that is on its way ends, every app of theirs, and every session but one. */
export async function keepPassword(
  tx: WriteHandle,
  partnerId: string,
  person: Person,
  { passwordHash, requestId, sessionId }: { passwordHash: string; requestId: string; sessionId?: string }
): Promise<void> {
  const isPortal = 'identityId' in person
  const id = idOf(person)
  const kept = {
    passwordHash,
    temporaryPasswordHash: null,
    temporaryPasswordExpiresAt: null,
    updatedAt: now()
  }
  await tx
    .updateTable(isPortal ? 'identity' : 'partnerUser')
    .set(isPortal ? kept : { passwordHash })
    .where((eb) => eb.and(known({ partnerId, id })))
    .execute()
  await endPasswordLinks(tx, partnerId, person)
  await endSessions(tx, partnerId, person, sessionId)
  await endApps(tx, partnerId, person)
  const action = isPortal ? 'portal_password_set' : 'console_password_set'
  await recordOwnAct(tx, partnerId, person, { action, requestId })
}

/** Invites and resets that would set the password again. A team's invites stay: they let into a team, too. */
async function endPasswordLinks(tx: WriteHandle, partnerId: string, person: Person): Promise<void> {
  const links = deleteWhere(tx, 'accessLink', { partnerId, usedAt: null })
  if ('partnerUserId' in person) {
    await links.where('partnerUserId', '=', person.partnerUserId).execute()
    return
  }
  const { identityId } = person
  const owned = rowsWhere(tx, 'customer', { ownerIdentityId: identityId }).select('id')
  const joined = rowsWhere(tx, 'teamMember', { identityId }).select('id')
  await links
    .where('purpose', 'in', ['portal_invite', 'password_reset'])
    .where((eb) =>
      eb.or([
        eb.and([eb('teamMemberId', 'is', null), eb('customerId', 'in', owned)]),
        eb('teamMemberId', 'in', joined)
      ])
    )
    .execute()
}

/** Ends their other sessions. @throws ServiceError `invalid_input` with the field `current` or `password`, `rate_limited` */
export async function changePassword(
  ctx: SignInContext,
  guest: SignedIn<Person>,
  { current, password }: { current: string; password: string },
  visit: Visit
): Promise<void> {
  const { partnerId, person, email, session } = guest
  await requirePassword(ctx, guest, current, visit)
  const passwordHash = await newPasswordHash({ password, email }, tenantOf(guest), visit)
  const kept = { passwordHash, requestId: visit.requestId, sessionId: session.id }
  await ctx.database.transaction((tx) => keepPassword(tx, partnerId, person, kept))
}

/** Whose sign-ins wait for theirs, and with whose their failures are counted. */
export const tenantOf = ({ partnerId, person }: Pick<SignedIn<Person>, 'partnerId' | 'person'>): string =>
  'identityId' in person ? portalTenant(partnerId) : CONSOLE_TENANT

/** For what an open browser isn't enough. @throws ServiceError `invalid_input` with the field `current`, `rate_limited` */
export async function requirePassword(
  ctx: SignInContext,
  guest: SignedIn<Person>,
  password: string,
  visit: Visitor
): Promise<void> {
  const { partnerId, person, email } = guest
  const isPortal = 'identityId' in person
  const id = idOf(person)
  // Whoever found an open browser must not guess at it without end; no stranger gets here.
  const attempt = { tenant: tenantOf(guest), email, password, apart: 'inside', ...visit }
  const { matches } = await tryPassword(ctx, attempt, () =>
    ctx.database.read
      .selectFrom(isPortal ? 'identity' : 'partnerUser')
      .where((eb) => eb.and(known({ partnerId, id })))
      .select('passwordHash')
      .executeTakeFirst()
  )
  if (!matches[0])
    throw new ServiceError('invalid_input', 'This is not your present password.', { field: 'current' })
}

/**
 * Replaces a temporary password and answers the token of a new session; the old one has ended.
 *
 * @throws ServiceError `invalid_input` with the field `password`, `access_closed`, `rate_limited`
 */
export async function replaceTemporaryPassword(
  database: Database,
  { partnerId, person, email }: SignedIn<{ identityId: string }>,
  password: string,
  visit: Visit
): Promise<string> {
  const { userAgent, requestId } = visit
  const passwordHash = await newPasswordHash({ password, email }, portalTenant(partnerId), visit)
  const token = await database.transaction(async (tx) => {
    await keepPassword(tx, partnerId, person, { passwordHash, requestId })
    return enterPortal(tx, { partnerId, ...person, userAgent })
  })
  if (token === undefined) throw accessClosed()
  return token
}
