// Signing in, to a partner's portal and to its console. Unknown accounts and wrong passwords answer alike, and about as
// fast: the same passwords are verified, against nobody's hash.
import { recordAct } from '../audit/audit.ts'
import { now } from '../clock.ts'
import { emailKey } from '../customers/email.ts'
import type { Database } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { SignInLimits } from '../limits/sign-in-limits.ts'
import { type Membership, membershipsOf } from './memberships.ts'
import { verifyPassword } from './passwords.ts'
import { beginSession } from './sessions.ts'

export interface SignInContext {
  database: Database
  signInLimits: SignInLimits
}

export interface Credentials {
  email: string
  password: string
  address: string | undefined
  userAgent: string | undefined
}

/** What signing in to a portal led to. */
export interface PortalSignIn {
  /** The session's token, this once. */
  token: string
  identityId: string
  /** The portal that they are in, if there is but one; several are to be chosen from. */
  membership: Membership | undefined
  mustChangePassword: boolean
}

/** The account as the limits name it, whether or not it exists. */
export const portalAccount = (partnerId: string, email: string): string =>
  `portal ${partnerId} ${emailKey(email)}`
export const consoleAccount = (email: string): string => `console ${emailKey(email)}`

/**
 * Signs in to that partner's portal. A temporary password does so once, and only to choose one.
 *
 * @throws ServiceError `unauthorized` for an unknown account or a wrong password, `access_closed` for a right one whose
 *   portal is closed, `rate_limited`
 */
export async function signInToPortal(
  { database, signInLimits }: SignInContext,
  partnerId: string,
  { email, password, address, userAgent }: Credentials
): Promise<PortalSignIn> {
  const succeeded = await signInLimits.attempt({ account: portalAccount(partnerId, email), address })
  const identity = await database.read
    .selectFrom('identity')
    .where('partnerId', '=', partnerId)
    .where('emailKey', '=', emailKey(email))
    .select(['id', 'passwordHash', 'temporaryPasswordHash', 'temporaryPasswordExpiresAt'])
    .executeTakeFirst()
  const temporaryHash =
    (identity?.temporaryPasswordExpiresAt ?? '') > now() ? (identity?.temporaryPasswordHash ?? null) : null
  const isOwn = await verifyPassword(identity?.passwordHash ?? null, password)
  // Both are verified whatever the first one says: the time must not tell which kinds of password there are.
  const isTemporary = await verifyPassword(temporaryHash, password)
  if (!identity || !(isOwn || isTemporary)) throw wrongCredentials()

  const mustChangePassword = !isOwn
  const signedIn = await database.transaction(async (tx) => {
    const memberships = await membershipsOf(tx, partnerId, identity.id)
    if (memberships.length === 0) return undefined
    if (mustChangePassword) {
      const { numUpdatedRows } = await tx
        .updateTable('identity')
        .set({ temporaryPasswordHash: null, temporaryPasswordExpiresAt: null })
        .where('partnerId', '=', partnerId)
        .where('id', '=', identity.id)
        .where('temporaryPasswordHash', '=', temporaryHash)
        .executeTakeFirst()
      // Somebody else was faster with it.
      if (numUpdatedRows === 0n) throw wrongCredentials()
    }
    const membership = memberships.length === 1 ? memberships[0] : undefined
    const token = await beginSession(tx, {
      door: 'portal',
      partnerId,
      identityId: identity.id,
      membership: mustChangePassword ? undefined : membership,
      mustChangePassword,
      userAgent
    })
    return { token, identityId: identity.id, membership, mustChangePassword }
  })
  await succeeded()
  if (!signedIn) throw accessClosed()
  return signedIn
}

/**
 * Signs in to the console.
 *
 * @throws ServiceError `unauthorized` for an unknown account, a wrong password or an inactive partner, `rate_limited`
 */
export async function signInToConsole(
  { database, signInLimits }: SignInContext,
  { email, password, address, userAgent }: Credentials,
  requestId: string
): Promise<{ token: string; partnerId: string; partnerUserId: string }> {
  const succeeded = await signInLimits.attempt({ account: consoleAccount(email), address })
  const user = await database.read
    .selectFrom('partnerUser')
    .innerJoin('partner', 'partner.id', 'partnerUser.partnerId')
    .where('partnerUser.emailKey', '=', emailKey(email))
    .where('partner.isActive', '=', 1)
    .select(['partnerUser.id', 'partnerUser.partnerId', 'partnerUser.passwordHash'])
    .executeTakeFirst()
  if (!(await verifyPassword(user?.passwordHash ?? null, password)) || !user) throw wrongCredentials()
  const { id: partnerUserId, partnerId } = user
  const token = await database.transaction(async (tx) => {
    await recordAct(tx, {
      partnerId,
      actor: partnerUserId,
      action: 'console_sign_in',
      targetType: 'partner_user',
      targetId: partnerUserId,
      requestId
    })
    return beginSession(tx, { door: 'console', partnerId, partnerUserId, userAgent })
  })
  await succeeded()
  return { token, partnerId, partnerUserId }
}

/** One text for every reason. */
export const wrongCredentials = (): ServiceError =>
  new ServiceError('unauthorized', 'This e-mail address and password don’t match. Check both and try again.')

/** Said only to who knows the password. */
export const accessClosed = (): ServiceError =>
  new ServiceError(
    'access_closed',
    'Your access to this portal is closed. Ask whoever runs it to open it again.'
  )
