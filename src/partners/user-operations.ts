// The team of a partner itself, at the console. Who does it is looked up with everybody else, under a lock: so of two owners
// who take each other away one stays, and nobody acts by a role that was taken from them meanwhile.
import {
  InvitePartnerUser,
  PARTNER_ROLES,
  type PartnerRole,
  PartnerUserList,
  PartnerUserPath,
  UpdatePartnerUser
} from '../../schemas/partner-user.ts'
import { type Caller, notInRole } from '../caller.ts'
import { emailKey } from '../customers/email.ts'
import type { WriteHandle } from '../database/database.ts'
import { changeWhere, deleteWhere } from '../database/known.ts'
import { ServiceError } from '../errors.ts'
import { forgetNetworks } from '../limits/sign-in-limits.ts'
import { ADDS, CHANGES, defineOperation, type OperationContext, SETS } from '../operation.ts'
import { resetFactors } from '../portal-access/factors.ts'
import { mailLink } from '../portal-access/links.ts'
import { endSessions } from '../portal-access/sessions.ts'
import { accountOf, CONSOLE_TENANT } from '../portal-access/sign-in.ts'
import { insertPartnerUser, listPartnerUsers, lockPartnerUsers, type PartnerUserRow } from './users.ts'

/** More people than work at one console. */
const MAX_USERS = 50
const FULL = `A team has at most ${MAX_USERS} people. Remove somebody to invite another.`

const OF_USER = { scope: 'settings:write', input: PartnerUserPath } as const

export const listPartnerUsersOperation = defineOperation({
  name: 'partner_user_list',
  scope: 'settings:read',
  output: PartnerUserList,
  handle: async ({ db }, { partnerId }) => ({ data: await listPartnerUsers(db, partnerId) })
})

/** Adds somebody and mails them a link by which they choose a password. */
export const invitePartnerUser = defineOperation({
  name: 'partner_user_invite',
  title: 'Invite somebody to the team',
  scope: 'settings:write',
  input: InvitePartnerUser,
  annotations: { ...ADDS, openWorld: true },
  errors: ['email_exists', 'team_limit_reached'],
  async write(tx, ctx, caller, invited) {
    const { users, me, partnerName } = await lockTeam(tx, caller)
    requireOwnerFor(me, invited.role)
    if (users.length >= MAX_USERS) throw new ServiceError('team_limit_reached', FULL)
    const user = await insertPartnerUser(tx, caller.partnerId, invited)
    await mailInvite(tx, ctx, partnerName, user)
    await ctx.audit(tx, { targetType: 'partner_user', targetId: user.id, fields: ['role'] })
    return { message: `The invite to ${user.email} is on its way.` }
  }
})

/** Sends the invite again with a new link; the first one ends. */
export const resendPartnerUser = defineOperation({
  ...OF_USER,
  name: 'partner_user_resend',
  title: 'Send an invite to the team again',
  annotations: { ...ADDS, openWorld: true },
  async write(tx, ctx, caller, { partnerUserId }) {
    const { user, partnerName } = await lockUser(tx, caller, partnerUserId)
    const message = `${user.email} has accepted already. Who forgot the password asks for a new one.`
    if (user.passwordHash !== null) throw new ServiceError('partner_user_not_found', message)
    await mailInvite(tx, ctx, partnerName, user)
    await ctx.audit(tx, { targetType: 'partner_user', targetId: user.id })
    return { message: `The invite to ${user.email} is on its way again.` }
  }
})

/** Changes name or role. What a role takes away is gone with the next request, from their apps, too. */
export const updatePartnerUser = defineOperation({
  ...OF_USER,
  name: 'partner_user_update',
  title: 'Change somebody of the team',
  input: UpdatePartnerUser,
  annotations: SETS,
  async write(tx, ctx, caller, { partnerUserId, ...given }) {
    const { user, me } = await lockUser(tx, caller, partnerUserId)
    const { partnerId, id } = user
    const { name = user.name, role = user.role } = given
    if (role !== user.role) requireMayDecide(me, user, role)
    await changeWhere(tx, 'partnerUser', { partnerId, id }).set({ name, role }).execute()
    const fields = [...(name === user.name ? [] : ['name']), ...(role === user.role ? [] : ['role'])]
    await ctx.audit(tx, { targetType: 'partner_user', targetId: id, fields })
    return { message: 'The changes are saved.' }
  }
})

/** Lets somebody in no more: their sessions, links and connected apps with all tokens go with their row. */
export const removePartnerUser = defineOperation({
  ...OF_USER,
  name: 'partner_user_remove',
  title: 'Remove somebody from the team',
  annotations: CHANGES,
  async write(tx, ctx, caller, { partnerUserId }) {
    const { user, me } = await lockUser(tx, caller, partnerUserId)
    const { partnerId, id, email } = user
    requireMayDecide(me, user)
    await deleteWhere(tx, 'partnerUser', { partnerId, id }).execute()
    await forgetNetworks(tx, ctx.config, [accountOf(CONSOLE_TENANT, email)])
    await ctx.audit(tx, { targetType: 'partner_user', targetId: id })
    return { message: `${email} was removed and signed out everywhere.` }
  }
})

/** Ends all of somebody’s sessions; they sign in again with their password. */
export const signOutPartnerUser = defineOperation({
  ...OF_USER,
  name: 'partner_user_sign_out',
  title: 'Sign somebody of the team out',
  annotations: CHANGES,
  async write(tx, ctx, caller, { partnerUserId }) {
    const { id, partnerId, email } = (await lockUser(tx, caller, partnerUserId)).user
    await endSessions(tx, partnerId, { partnerUserId: id })
    await ctx.audit(tx, { targetType: 'partner_user', targetId: id })
    return { message: `${email} was signed out everywhere.` }
  }
})

/** Takes a lost phone's place: they sign in with their password alone, and every session of theirs ends. */
export const resetPartnerUserFactors = defineOperation({
  ...OF_USER,
  name: 'partner_user_reset_factors',
  title: 'Turn off somebody’s two-step sign-in in the team',
  annotations: CHANGES,
  async write(tx, ctx, caller, { partnerUserId }) {
    const { user, me } = await lockUser(tx, caller, partnerUserId)
    requireMayDecide(me, user)
    return takeFactors(tx, ctx, user)
  }
})

/** The operator's way to the same, for who has nobody else to ask. */
export const recoverPartnerUser = defineOperation({
  name: 'partner_user_recover',
  title: 'Turn off the two-step sign-in of somebody who lost it',
  scope: 'settings:write',
  channels: ['operator'],
  input: InvitePartnerUser.pick({ email: true }),
  annotations: CHANGES,
  errors: ['partner_user_not_found'],
  async write(tx, ctx, { partnerId }, { email }) {
    const { users } = await lockPartnerUsers(tx, partnerId)
    const user = users.find((one) => one.emailKey === emailKey(email))
    if (!user) throw new ServiceError('partner_user_not_found')
    return takeFactors(tx, ctx, user)
  }
})

async function takeFactors(tx: WriteHandle, ctx: OperationContext, { partnerId, id, email }: PartnerUserRow) {
  await resetFactors(tx, partnerId, { partnerUserId: id })
  await ctx.audit(tx, { targetType: 'partner_user', targetId: id })
  return { message: `${email} signs in with the password alone, and was signed out everywhere.` }
}

export const partnerUserOperations = [
  recoverPartnerUser,
  listPartnerUsersOperation,
  invitePartnerUser,
  resendPartnerUser,
  updatePartnerUser,
  removePartnerUser,
  resetPartnerUserFactors,
  signOutPartnerUser
]

/** @throws ServiceError `unauthorized`, `missing_scope` when who calls was removed or lowered since their request began */
async function lockTeam(tx: WriteHandle, { partnerId, actor }: Caller) {
  const team = await lockPartnerUsers(tx, partnerId)
  const me = team.users.find(({ id }) => id === actor)
  if (!me) throw new ServiceError('unauthorized', 'You are no longer in this team.')
  if (!PARTNER_ROLES[me.role].scopes.has('settings:write')) throw notInRole(me.role)
  return { ...team, me }
}

/** @throws ServiceError `partner_user_not_found`, for another partner's as for nobody */
async function lockUser(tx: WriteHandle, caller: Caller, partnerUserId: string) {
  const team = await lockTeam(tx, caller)
  const user = team.users.find(({ id }) => id === partnerUserId)
  if (!user) throw new ServiceError('partner_user_not_found')
  return { ...team, user }
}

/** Whoever takes a role away keeps their own, so an owner who can sign in stays. @throws ServiceError `missing_scope` */
function requireMayDecide(me: PartnerUserRow, user: PartnerUserRow, role?: PartnerRole): void {
  const message = 'Nobody changes their own role or removes themselves. Ask another owner or admin.'
  if (me.id === user.id) throw new ServiceError('missing_scope', message)
  requireOwnerFor(me, user.role, role)
}

function requireOwnerFor(me: PartnerUserRow, ...roles: (PartnerRole | undefined)[]): void {
  if (me.role === 'owner' || !roles.includes('owner')) return
  throw new ServiceError('missing_scope', 'Only owners decide who is an owner.')
}

function mailInvite(tx: WriteHandle, ctx: OperationContext, companyName: string, user: PartnerUserRow) {
  const { id: partnerUserId, partnerId, name, email: recipient, role } = user
  const params = { companyName, role: PARTNER_ROLES[role].label, ...(name && { recipientName: name }) }
  return mailLink(ctx, tx, partnerId, { partnerUserId }, { template: 'console_invite', recipient, params })
}
