// The links of mails: invites to a portal and to a team, and resets. Looking at one changes nothing, because mail
// scanners open every link; what its form then sends does.
import { recordAct } from '../audit/audit.ts'
import { now } from '../clock.ts'
import { emailKey } from '../customers/email.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { addIdentity, findIdentity } from './identities.ts'
import { consumeLink, findLink, type HeldLink, linkEnded, type Purpose } from './links.ts'
import { membershipsOf } from './memberships.ts'
import type { Visitor } from './passwords.ts'
import { beginSession, type Person } from './sessions.ts'
import { keepPassword, newPasswordHash } from './set-password.ts'
import {
  accountOf,
  activePartnerUsers,
  CONSOLE_TENANT,
  portalTenant,
  type SignInContext,
  tryPassword,
  wrongCredentials
} from './sign-in.ts'

interface Redemption extends Visitor {
  token: string
  password: string
  userAgent: string | undefined
  requestId: string
}

/** What a link's form does: accept an invite to a portal, set its password again, or the console's. */
export type LinkForm = 'invite' | 'reset' | 'console'

const PURPOSES: Record<LinkForm, readonly Purpose[]> = {
  invite: ['portal_invite', 'team_invite'],
  reset: ['password_reset'],
  console: ['console_password', 'console_reset']
}

/** Whom the link is for: nobody once it has ended, nor when it was opened in another partner's portal. */
export async function holderOf(db: ReadHandle, form: LinkForm, token: string, openedIn?: string) {
  const link = await findLink(db, token, PURPOSES[form])
  if (!link || (openedIn !== undefined && link.partnerId !== openedIn)) return undefined
  if (form === 'console') {
    const user = await activePartnerUsers(db)
      .where('partnerUser.partnerId', '=', link.partnerId)
      .where('partnerUser.id', '=', link.partnerUserId)
      .executeTakeFirst()
    return user && { link, email: user.email, companyName: null, hasPassword: false }
  }
  const customer = await db
    .selectFrom('customer')
    .where('partnerId', '=', link.partnerId)
    .where('id', '=', link.customerId)
    .select(['email', 'companyName'])
    .executeTakeFirst()
  if (!customer) return undefined
  if (link.teamMemberId === null) return { link, ...customer, hasPassword: false }
  const member = await db
    .selectFrom('teamMember')
    .where('partnerId', '=', link.partnerId)
    .where('id', '=', link.teamMemberId)
    .select('email')
    .executeTakeFirst()
  if (!member) return undefined
  const identity = await findIdentity(db, link.partnerId, member.email)
  // Who has a password here already accepts a team's invite with that one.
  const hasPassword = form === 'invite' && identity?.passwordHash != null
  return { link, email: member.email, companyName: customer.companyName, hasPassword }
}

/**
 * Uses a link: sets the new password, or accepts a team's invite with the one that its reader has. Every session of
 * theirs ends; who didn't come for a reset is signed in.
 *
 * @returns the session's token; `undefined` after a reset, and where the portal is closed for now
 * @throws ServiceError `link_ended`, `invalid_input` with the field `password`, `unauthorized`, `rate_limited`
 */
export async function redeemLink(
  ctx: SignInContext,
  form: LinkForm,
  { token, password, userAgent, requestId, ...visitor }: Redemption,
  openedIn?: string
): Promise<string | undefined> {
  const { database, signInLimits } = ctx
  const holder = await holderOf(database.read, form, token, openedIn)
  if (!holder) throw linkEnded()
  const { link, email, hasPassword } = holder
  const { partnerId, customerId, teamMemberId, partnerUserId } = link
  const tenant = form === 'console' ? CONSOLE_TENANT : portalTenant(partnerId)
  let passwordHash: string | undefined
  if (hasPassword) {
    // No stranger has the link.
    const attempt = { tenant, email, password, apart: 'invited', ...visitor }
    const { matches } = await tryPassword(ctx, attempt, async () => {
      const found = await findIdentity(database.read, partnerId, email)
      return { found, hashes: [found?.passwordHash] }
    })
    if (!matches[0]) throw wrongCredentials()
  } else {
    passwordHash = await newPasswordHash({ password, email }, tenant, visitor)
  }
  return database.transaction(async (tx) => {
    await consumeLink(tx, link)
    // So that its owner gets in, however often strangers failed at it.
    await signInLimits.keepNetwork(tx, { account: accountOf(tenant, email), address: visitor.address })
    const person: Person = partnerUserId
      ? { partnerUserId }
      : { identityId: await identityOf(tx, link, email) }
    if (passwordHash !== undefined) await keepPassword(tx, partnerId, person, { passwordHash, requestId })
    if ('partnerUserId' in person)
      return beginSession(tx, { site: 'console', partnerId, ...person, userAgent })
    if (form === 'reset') return undefined
    if (teamMemberId !== null) await joinTeam(tx, partnerId, teamMemberId, person.identityId, requestId)
    const membership = (await membershipsOf(tx, partnerId, person.identityId)).find(
      (open) => open.customerId === customerId && open.teamMemberId === teamMemberId
    )
    return membership && beginSession(tx, { site: 'portal', partnerId, ...person, membership, userAgent })
  })
}

/** The identity with the address that the mail went to; a customer's is its owner from now on. */
async function identityOf(tx: WriteHandle, { partnerId, customerId, teamMemberId }: HeldLink, email: string) {
  const ownerIdentityId = await addIdentity(tx, partnerId, email)
  if (customerId !== null && teamMemberId === null) {
    const { numUpdatedRows } = await tx
      .updateTable('customer')
      .set({ ownerIdentityId })
      .where('partnerId', '=', partnerId)
      .where('id', '=', customerId)
      // The address may have changed since it was read: then the link is for nobody.
      .where('emailKey', '=', emailKey(email))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw linkEnded()
  }
  return ownerIdentityId
}

async function joinTeam(
  tx: WriteHandle,
  partnerId: string,
  id: string,
  identityId: string,
  requestId: string
) {
  await tx
    .updateTable('teamMember')
    .set({ identityId, status: 'active', updatedAt: now() })
    .where('partnerId', '=', partnerId)
    .where('id', '=', id)
    .execute()
  await recordAct(tx, {
    partnerId,
    actor: identityId,
    action: 'team_member_accept',
    targetType: 'team_member',
    targetId: id,
    requestId
  })
}
