// Signing in, to a partner's portal and to its console. Unknown accounts and wrong passwords answer alike, and about as
// fast: the same passwords are verified, against nobody's hash.
import { now } from '../clock.ts'
import { emailKey } from '../customers/email.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import type { SignInLimits } from '../limits/sign-in-limits.ts'
import { findIdentity } from './identities.ts'
import { type Membership, membershipsOf } from './memberships.ts'
import { inTurn, type Visit, type Visitor, verifyPassword } from './passwords.ts'
import { beginSession, endSession, type NewSession, recordOwnAct } from './sessions.ts'
import type { SignedIn } from './visitors.ts'

export interface SignInContext {
  database: Database
  signInLimits: SignInLimits
}

export interface Credentials {
  email: string
  password: string
}

export const portalTenant = (partnerId: string): string => `portal ${partnerId}`
export const CONSOLE_TENANT = 'console'

/** The account as the limits name it, whether or not it exists. */
export const accountOf = (tenant: string, email: string): string => `${tenant} ${emailKey(email)}`

/**
 * Signs in to that partner's portal and answers the session's token. A temporary password does so once, and only to choose
 * one of one's own. @throws ServiceError `unauthorized`, `access_closed` with the right password, `rate_limited`
 */
export async function signInToPortal(
  ctx: SignInContext,
  partnerId: string,
  credentials: Credentials,
  visit: Visit
): Promise<string> {
  const { database } = ctx
  const attempt = { tenant: portalTenant(partnerId), ...credentials, ...visit }
  const look = () => findIdentity(database.read, partnerId, credentials.email)
  const { found, matches } = await tryPassword(ctx, attempt, look, (identity) => {
    const isTimely = (identity?.temporaryPasswordExpiresAt ?? '') > now()
    return [identity?.passwordHash, isTimely ? identity?.temporaryPasswordHash : undefined]
  })
  const [isOwn, isTemporary] = matches
  if (!found || !(isOwn || isTemporary)) throw wrongCredentials()

  return database.transaction(async (tx) => {
    if (!isOwn) await spendTemporaryPassword(tx, partnerId, found)
    const { userAgent } = visit
    const entering = { partnerId, identityId: found.id, userAgent, mustChangePassword: !isOwn }
    const token = await enterPortal(tx, entering)
    // What was spent is there again: nothing of it is kept.
    if (token === undefined) throw accessClosed()
    return token
  })
}

async function spendTemporaryPassword(
  tx: WriteHandle,
  partnerId: string,
  { id, temporaryPasswordHash }: Pick<Tables['identity'], 'id' | 'temporaryPasswordHash'>
): Promise<void> {
  const { numUpdatedRows } = await changeWhere(tx, 'identity', { partnerId, id })
    // Its invite's link works on until then.
    .set({ temporaryPasswordHash: null })
    .where('temporaryPasswordHash', '=', temporaryPasswordHash)
    .executeTakeFirst()
  // Somebody else was faster with it.
  if (numUpdatedRows === 0n) throw wrongCredentials()
}

/** A session in the only portal that is open to them, or to choose among several; `undefined` where none is open. */
export async function enterPortal(
  tx: WriteHandle,
  entering: Omit<Extract<NewSession, { site: 'portal' }>, 'site' | 'membership'>
): Promise<string | undefined> {
  const memberships = await membershipsOf(tx, entering.partnerId, entering.identityId)
  if (memberships.length === 0) return undefined
  const isDecided = memberships.length === 1 && !entering.mustChangePassword
  return beginSession(tx, { ...entering, site: 'portal', membership: isDecided ? memberships[0] : undefined })
}

/** Names a membership in a form. */
export const membershipKey = ({ customerId, teamMemberId }: Membership): string => teamMemberId ?? customerId

/** Goes into the portal of that key, out of the one before; `undefined` when it isn't open to them. */
export async function choosePortal(
  database: Database,
  { partnerId, person, session }: SignedIn<{ identityId: string }>,
  key: string,
  { userAgent }: Visit
): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const memberships = await membershipsOf(tx, partnerId, person.identityId)
    const membership = memberships.find((membership) => membershipKey(membership) === key)
    // A session that ended meanwhile chooses nothing any more.
    if (!membership || !(await endSession(tx, partnerId, person, session.id))) return undefined
    const { pending } = session
    return beginSession(tx, { site: 'portal', partnerId, ...person, membership, userAgent, pending })
  })
}

/** Signs in to the console and answers the session's token. @throws ServiceError `unauthorized`, `rate_limited` */
export async function signInToConsole(
  ctx: SignInContext,
  credentials: Credentials,
  visit: Visit
): Promise<string> {
  const { database } = ctx
  const look = () => findPartnerUser(database.read, credentials.email)
  const attempt = { tenant: CONSOLE_TENANT, ...credentials, ...visit }
  const { found, matches } = await tryPassword(ctx, attempt, look)
  if (!found || !matches[0]) throw wrongCredentials()
  const { id: partnerUserId, partnerId } = found
  const { userAgent, requestId } = visit
  return database.transaction(async (tx) => {
    await recordOwnAct(tx, partnerId, { partnerUserId }, { action: 'console_sign_in', requestId })
    return beginSession(tx, { site: 'console', partnerId, partnerUserId, userAgent })
  })
}

/** The user of the console with that e-mail, while its partner is active. */
export const findPartnerUser = (db: ReadHandle, email: string) =>
  db
    .selectFrom('partnerUser')
    .innerJoin('partner', 'partner.id', 'partnerUser.partnerId')
    .where('partner.isActive', '=', 1)
    .where('partnerUser.emailKey', '=', emailKey(email))
    .select(['partnerUser.id', 'partnerUser.partnerId', 'partnerUser.email', 'partnerUser.passwordHash'])
    .executeTakeFirst()

interface Attempt extends Credentials, Visitor {
  tenant: string
  /** Whose attempts are counted apart from those who sign in. */
  apart?: string
}

/** What `look` finds, and which of its hashes the password has; counted, and in the visitor's turn. */
export function tryPassword<Found extends { passwordHash: string | null }>(
  { signInLimits }: SignInContext,
  { tenant, email, password, apart, ...visitor }: Attempt,
  look: () => Promise<Found | undefined>,
  hashesOf = (found?: Found) => [found?.passwordHash]
) {
  return inTurn(tenant, visitor, async () => {
    const account = accountOf(tenant, email)
    const counted = apart === undefined ? account : `${apart} ${account}`
    const end = await signInLimits.attempt({ account: counted, address: visitor.address })
    const found = await look()
    const matches: boolean[] = []
    // All are verified whatever the first one says: the time must not tell which kinds of password there are.
    for (const hash of hashesOf(found)) matches.push(await verifyPassword(hash ?? null, password, tenant))
    await end(matches.includes(true))
    return { found, matches }
  })
}

export const wrongCredentials = (): ServiceError =>
  new ServiceError('unauthorized', 'This e-mail address and password don’t match. Check both and try again.')

/** Said only to who knows the password. */
export const accessClosed = (): ServiceError =>
  new ServiceError(
    'access_closed',
    'Your access to this portal is closed. Ask whoever runs it to open it again.'
  )
