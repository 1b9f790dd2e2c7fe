// Signing in, to a partner's portal and to its console. Unknown accounts and wrong passwords answer alike, and about as
// fast: the same passwords are verified, against nobody's hash.
import { recordAct } from '../audit/audit.ts'
import { now } from '../clock.ts'
import { emailKey } from '../customers/email.ts'
import type { Database } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { SignInLimits } from '../limits/sign-in-limits.ts'
import { type Membership, membershipsOf } from './memberships.ts'
import { inTurn, type Visitor, verifyPassword } from './passwords.ts'
import { beginSession } from './sessions.ts'

export interface SignInContext {
  database: Database
  signInLimits: SignInLimits
}

export interface Credentials extends Visitor {
  email: string
  password: string
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

/** Whose sign-ins wait for each other. */
export const portalTenant = (partnerId: string): string => `portal ${partnerId}`
export const CONSOLE_TENANT = 'console'

/** The account as the limits name it, whether or not it exists. */
export const portalAccount = (partnerId: string, email: string): string =>
  `${portalTenant(partnerId)} ${emailKey(email)}`
export const consoleAccount = (email: string): string => `${CONSOLE_TENANT} ${emailKey(email)}`

/**
 * Signs in to that partner's portal. A temporary password does so once, and only to choose one.
 *
 * @throws ServiceError `unauthorized` for an unknown account or a wrong password, `access_closed` for a right one whose
 *   portal is closed, `rate_limited`
 */
export async function signInToPortal(
  { database, signInLimits }: SignInContext,
  partnerId: string,
  credentials: Credentials
): Promise<PortalSignIn> {
  const { email, password, address, userAgent } = credentials
  const tenant = portalTenant(partnerId)
  const { identity, isOwn, temporaryHash } = await inTurn(tenant, credentials, async () => {
    const end = await signInLimits.attempt({ account: portalAccount(partnerId, email), address })
    const identity = await database.read
      .selectFrom('identity')
      .where('partnerId', '=', partnerId)
      .where('emailKey', '=', emailKey(email))
      .select(['id', 'passwordHash', 'temporaryPasswordHash', 'temporaryPasswordExpiresAt'])
      .executeTakeFirst()
    const isTimely = (identity?.temporaryPasswordExpiresAt ?? '') > now()
    const temporaryHash = isTimely ? (identity?.temporaryPasswordHash ?? null) : null
    const isOwn = await verifyPassword(identity?.passwordHash ?? null, password, tenant)
    // Both are verified whatever the first one says: the time must not tell which kinds of password there are.
    const isTemporary = await verifyPassword(temporaryHash, password, tenant)
    await end(isOwn || isTemporary)
    if (!identity || !(isOwn || isTemporary)) throw wrongCredentials()
    return { identity, isOwn, temporaryHash }
  })

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
  credentials: Credentials,
  requestId: string
): Promise<{ token: string; partnerId: string; partnerUserId: string }> {
  const { email, password, address, userAgent } = credentials
  const user = await inTurn(CONSOLE_TENANT, credentials, async () => {
    const end = await signInLimits.attempt({ account: consoleAccount(email), address })
    const user = await database.read
      .selectFrom('partnerUser')
      .innerJoin('partner', 'partner.id', 'partnerUser.partnerId')
      .where('partnerUser.emailKey', '=', emailKey(email))
      .where('partner.isActive', '=', 1)
      .select(['partnerUser.id', 'partnerUser.partnerId', 'partnerUser.passwordHash'])
      .executeTakeFirst()
    const isRight = await verifyPassword(user?.passwordHash ?? null, password, CONSOLE_TENANT)
    await end(isRight)
    if (!user || !isRight) throw wrongCredentials()
    return user
  })
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
