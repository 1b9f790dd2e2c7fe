// The links of mails: invites to a portal and to a team, and resets. Looking at one changes nothing, because mail
// scanners open every link; what its form then sends does.
import { recordAct } from '../audit/audit.ts'
import { now } from '../clock.ts'
import { emailKey } from '../customers/email.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import type { SignInLimits } from '../limits/sign-in-limits.ts'
import { addIdentity, findIdentity, type Identity } from './identities.ts'
import { consumeLink, findLink, type HeldLink, linkEnded } from './links.ts'
import { membershipsOf } from './memberships.ts'
import { inTurn, type Visitor, verifyPassword } from './passwords.ts'
import { beginSession } from './sessions.ts'
import { keepConsolePassword, keepPortalPassword, newPasswordHash } from './set-password.ts'
import { CONSOLE_TENANT, consoleAccount, portalAccount, portalTenant, wrongCredentials } from './sign-in.ts'

/** Whom a portal's link is for. */
export interface LinkHolder {
  link: HeldLink
  email: string
  /** The company that the invite is to; `undefined` where it has no name. */
  companyName: string | undefined
  /** A team's invite to somebody who has a password here already: that one accepts it. */
  hasPassword: boolean
}

interface RedeemContext {
  database: Database
  signInLimits: SignInLimits
}

export interface Redemption extends Visitor {
  token: string
  password: string
  userAgent: string | undefined
  requestId: string
}

const ACCEPTED = ['portal_invite', 'team_invite'] as const
const RESETTING = ['password_reset'] as const

/**
 * Whom the link of an invite, or of a reset, is for.
 *
 * @throws ServiceError `link_ended`, for another partner's link as well
 */
export async function holderOf(
  db: ReadHandle,
  partnerId: string,
  kind: 'invite' | 'reset',
  token: string
): Promise<LinkHolder> {
  const link = await findLink(db, token, kind === 'invite' ? ACCEPTED : RESETTING)
  if (!link || link.partnerId !== partnerId || link.customerId === null) throw linkEnded()
  const customer = await db
    .selectFrom('customer')
    .where('partnerId', '=', partnerId)
    .where('id', '=', link.customerId)
    .select(['email', 'companyName'])
    .executeTakeFirst()
  if (!customer) throw linkEnded()
  const companyName = customer.companyName ?? undefined
  if (link.teamMemberId === null) return { link, email: customer.email, companyName, hasPassword: false }
  const member = await db
    .selectFrom('teamMember')
    .where('partnerId', '=', partnerId)
    .where('id', '=', link.teamMemberId)
    .select('email')
    .executeTakeFirst()
  if (!member) throw linkEnded()
  const identity = await findIdentity(db, partnerId, member.email)
  const hasPassword = kind === 'invite' && identity?.passwordHash != null
  return { link, email: member.email, companyName, hasPassword }
}

/**
 * Accepts an invite with a new password, or a team's with the one that its reader has, and signs in.
 *
 * @returns the session's token; `undefined` where the portal is closed for now
 * @throws ServiceError `link_ended`, `invalid_input` with the field `password`, `unauthorized`, `rate_limited`
 */
export async function acceptInvite(
  { database, signInLimits }: RedeemContext,
  partnerId: string,
  redemption: Redemption
): Promise<string | undefined> {
  const { token, password, address, userAgent, requestId } = redemption
  const { link, email, hasPassword } = await holderOf(database.read, partnerId, 'invite', token)
  const account = portalAccount(partnerId, email)
  const tenant = portalTenant(partnerId)
  let passwordHash: string | undefined
  if (hasPassword) {
    await inTurn(tenant, redemption, async () => {
      // Counted apart from those who sign in: no stranger has the link.
      const end = await signInLimits.attempt({ account: `invited ${account}`, address })
      const known = await findIdentity(database.read, partnerId, email)
      const isRight = await verifyPassword(known?.passwordHash ?? null, password, tenant)
      await end(isRight)
      if (!isRight) throw wrongCredentials()
    })
  } else {
    passwordHash = await newPasswordHash({ password, email }, tenant, redemption)
  }
  return database.transaction(async (tx) => {
    await consumeLink(tx, link)
    await signInLimits.keepNetwork(tx, { account, address })
    const identity = await identityOf(tx, link, email)
    if (passwordHash !== undefined) {
      await keepPortalPassword(tx, { partnerId, identityId: identity.id, requestId }, passwordHash)
    }
    if (link.teamMemberId !== null) await joinTeam(tx, link, identity.id, requestId)
    const membership = (await membershipsOf(tx, partnerId, identity.id)).find(
      ({ customerId, teamMemberId }) => customerId === link.customerId && teamMemberId === link.teamMemberId
    )
    if (!membership) return undefined
    return beginSession(tx, {
      door: 'portal',
      partnerId,
      identityId: identity.id,
      membership,
      mustChangePassword: false,
      userAgent
    })
  })
}

/**
 * Sets a new password by the link of a reset; every session of its owner ends.
 *
 * @throws ServiceError `link_ended`, `invalid_input` with the field `password`, `rate_limited`
 */
export async function resetPassword(
  { database, signInLimits }: RedeemContext,
  partnerId: string,
  redemption: Redemption
): Promise<void> {
  const { token, password, address, requestId } = redemption
  const { link, email } = await holderOf(database.read, partnerId, 'reset', token)
  const passwordHash = await newPasswordHash({ password, email }, portalTenant(partnerId), redemption)
  await database.transaction(async (tx) => {
    await consumeLink(tx, link)
    // So that its owner gets in, however often strangers failed at it.
    await signInLimits.keepNetwork(tx, { account: portalAccount(partnerId, email), address })
    const { id: identityId } = await identityOf(tx, link, email)
    await keepPortalPassword(tx, { partnerId, identityId, requestId }, passwordHash)
  })
}

/** The identity with the address that the mail went to; a customer's is its owner from now on. */
async function identityOf(tx: WriteHandle, link: HeldLink, email: string): Promise<Identity> {
  const { partnerId, customerId, teamMemberId } = link
  const identity = await addIdentity(tx, partnerId, email)
  if (customerId !== null && teamMemberId === null) {
    const { numUpdatedRows } = await tx
      .updateTable('customer')
      .set({ ownerIdentityId: identity.id })
      .where('partnerId', '=', partnerId)
      .where('id', '=', customerId)
      // The address may have changed since it was read: then the link is for nobody.
      .where('emailKey', '=', emailKey(email))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw linkEnded()
  }
  return identity
}

async function joinTeam(
  tx: WriteHandle,
  { partnerId, teamMemberId }: HeldLink,
  identityId: string,
  requestId: string
): Promise<void> {
  await tx
    .updateTable('teamMember')
    .set({ identityId, status: 'active', updatedAt: now() })
    .where('partnerId', '=', partnerId)
    .where('id', '=', teamMemberId)
    .execute()
  await recordAct(tx, {
    partnerId,
    actor: identityId,
    action: 'team_member_accept',
    targetType: 'team_member',
    targetId: teamMemberId ?? '',
    requestId
  })
}

const CONSOLE_PURPOSES = ['console_password', 'console_reset'] as const

/**
 * Whom a link to the console is for.
 *
 * @throws ServiceError `link_ended`
 */
export async function consoleHolderOf(
  db: ReadHandle,
  token: string
): Promise<{ link: HeldLink; partnerUserId: string; email: string }> {
  const link = await findLink(db, token, CONSOLE_PURPOSES)
  const user =
    link &&
    (await db
      .selectFrom('partnerUser')
      .innerJoin('partner', 'partner.id', 'partnerUser.partnerId')
      .where('partner.isActive', '=', 1)
      .where('partnerUser.partnerId', '=', link.partnerId)
      .where('partnerUser.id', '=', link.partnerUserId)
      .select(['partnerUser.id', 'partnerUser.email'])
      .executeTakeFirst())
  if (!user) throw linkEnded()
  return { link, partnerUserId: user.id, email: user.email }
}

/**
 * Sets the password of a user of the console by the link that `partner create` or a mail gave, and signs in.
 *
 * @returns the session's token
 * @throws ServiceError `link_ended`, `invalid_input` with the field `password`, `rate_limited`
 */
export async function setConsolePassword(
  { database, signInLimits }: RedeemContext,
  redemption: Redemption
): Promise<string> {
  const { token, password, address, userAgent, requestId } = redemption
  const { link, partnerUserId, email } = await consoleHolderOf(database.read, token)
  const { partnerId } = link
  const passwordHash = await newPasswordHash({ password, email }, CONSOLE_TENANT, redemption)
  return database.transaction(async (tx) => {
    await consumeLink(tx, link)
    await signInLimits.keepNetwork(tx, { account: consoleAccount(email), address })
    await keepConsolePassword(tx, { partnerId, partnerUserId, requestId }, passwordHash)
    return beginSession(tx, { door: 'console', partnerId, partnerUserId, userAgent })
  })
}
