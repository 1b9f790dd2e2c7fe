// The links of mails: invites to a portal and to a team, and resets. Looking at one changes nothing, because mail
// scanners open every link; what its form then sends does.
import { now } from '../clock.ts'
import { emailKey } from '../customers/email.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere } from '../database/known.ts'
import { tokenHash } from '../keys/token.ts'
import { addIdentity, findIdentity } from './identities.ts'
import { consumeLink, linkEnded, type Purpose } from './links.ts'
import { membershipsOf } from './memberships.ts'
import type { Visit } from './passwords.ts'
import { beginSession, type Person, recordOwnAct } from './sessions.ts'
import { keepPassword, newPasswordHash } from './set-password.ts'
import {
  accountOf,
  CONSOLE_TENANT,
  portalTenant,
  type SignInContext,
  tryPassword,
  wrongCredentials
} from './sign-in.ts'

/** What a link's form does: accept an invite to a portal, set its password again, or the console's. */
export type LinkForm = 'invite' | 'reset' | 'console'

const PURPOSES: Record<LinkForm, readonly Purpose[]> = {
  invite: ['portal_invite', 'team_invite'],
  reset: ['password_reset'],
  console: ['console_password', 'console_reset']
}

/** Whom the link is for: nobody once it has ended, nor when it was opened in another partner's portal. */
export async function holderOf(db: ReadHandle, form: LinkForm, token: string, openedIn?: string) {
  const found = await db
    .selectFrom('accessLink as link')
    .innerJoin('partner', 'partner.id', 'link.partnerId')
    .leftJoin('customer', 'customer.id', 'link.customerId')
    .leftJoin('teamMember', 'teamMember.id', 'link.teamMemberId')
    .leftJoin('partnerUser', 'partnerUser.id', 'link.partnerUserId')
    .where('link.tokenHash', '=', tokenHash(token))
    .where('link.purpose', 'in', PURPOSES[form])
    .where('link.usedAt', 'is', null)
    .where('link.expiresAt', '>', now())
    .where('partner.isActive', '=', 1)
    .select(['link.id', 'link.partnerId', 'link.customerId', 'link.teamMemberId', 'link.partnerUserId'])
    .select(['customer.email as customerEmail', 'customer.companyName', 'customer.portalLanguage'])
    .select(['teamMember.email as memberEmail', 'partnerUser.email as userEmail'])
    .executeTakeFirst()
  if (!found || (openedIn !== undefined && found.partnerId !== openedIn)) return undefined
  const { userEmail, memberEmail, customerEmail, companyName, portalLanguage, ...link } = found
  const email = userEmail ?? memberEmail ?? customerEmail
  if (email === null) return undefined
  // Who has a password here already accepts a team's invite with that one.
  const isJoining = form === 'invite' && link.teamMemberId !== null
  const identity = isJoining ? await findIdentity(db, link.partnerId, email) : undefined
  return { link, email, companyName, portalLanguage, hasPassword: identity?.passwordHash != null }
}

/** What became of a link that is for nobody any more, for whoever has it; those that were replaced are gone. */
export async function endOf(db: ReadHandle, form: LinkForm, token: string, openedIn?: string) {
  const link = await db
    .selectFrom('accessLink as link')
    .innerJoin('partner', 'partner.id', 'link.partnerId')
    .where('link.tokenHash', '=', tokenHash(token))
    .where('link.purpose', 'in', PURPOSES[form])
    .where('partner.isActive', '=', 1)
    .select(['link.partnerId', 'link.usedAt'])
    .executeTakeFirst()
  if (!link || (openedIn !== undefined && link.partnerId !== openedIn)) return 'gone'
  return link.usedAt === null ? 'late' : 'used'
}

type Holder = NonNullable<Awaited<ReturnType<typeof holderOf>>>

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
  { token, password }: { token: string; password: string },
  visit: Visit,
  openedIn?: string
): Promise<string | undefined> {
  const { database, signInLimits } = ctx
  const { userAgent, requestId } = visit
  const holder = await holderOf(database.read, form, token, openedIn)
  if (!holder) throw linkEnded()
  const { link, email, hasPassword } = holder
  const { partnerId, customerId, teamMemberId, partnerUserId } = link
  const tenant = form === 'console' ? CONSOLE_TENANT : portalTenant(partnerId)
  let passwordHash: string | undefined
  if (hasPassword) {
    // No stranger has the link.
    const attempt = { tenant, email, password, apart: 'invited', ...visit }
    const look = () => findIdentity(database.read, partnerId, email)
    const { matches } = await tryPassword(ctx, attempt, look)
    if (!matches[0]) throw wrongCredentials()
  } else {
    passwordHash = await newPasswordHash({ password, email }, tenant, visit)
  }
  return database.transaction(async (tx) => {
    await consumeLink(tx, link.id)
    // So that its owner gets in, however often strangers failed at it.
    await signInLimits.keepNetwork(tx, { account: accountOf(tenant, email), address: visit.address })
    const person: Person = partnerUserId ? { partnerUserId } : { identityId: await identityOf(tx, holder) }
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
async function identityOf(tx: WriteHandle, { link, email }: Holder): Promise<string> {
  const { partnerId, customerId, teamMemberId } = link
  const ownerIdentityId = await addIdentity(tx, partnerId, email)
  if (customerId !== null && teamMemberId === null) {
    const { numUpdatedRows } = await changeWhere(tx, 'customer', { partnerId, id: customerId })
      .set({ ownerIdentityId })
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
  await changeWhere(tx, 'teamMember', { partnerId, id })
    .set({ identityId, status: 'active', updatedAt: now() })
    .execute()
  const what = { targetType: 'team_member', targetId: id } as const
  await recordOwnAct(tx, partnerId, { identityId }, { action: 'team_member_accept', ...what, requestId })
}
