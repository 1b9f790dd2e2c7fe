import { CustomerPath } from '../../schemas/customer.ts'
import { acknowledgement } from '../../schemas/envelope.ts'
import { AddTeamMember, TeamMemberList, TeamMemberPath, TeamMemberResult } from '../../schemas/team-member.ts'
import { getCustomer, lockCustomer } from '../customers/store.ts'
import { ServiceError } from '../errors.ts'
import { ADDS, CHANGES, defineOperation } from '../operation.ts'
import { mailMember } from '../portal-access/access-mails.ts'
import {
  countTeamMembers,
  deleteTeamMember,
  findTeamMember,
  insertTeamMember,
  listTeamMembers
} from './store.ts'

const IS_MEMBER = 'This customer’s team already has a member with this e-mail address.'
const fullText = (most: number) =>
  `This customer’s team is full: maxTeamMembers is ${most}. Remove a member or raise the limit.`

export const addTeamMember = defineOperation({
  name: 'team_member_add',
  title: 'Invite a team member',
  summary:
    'Adds a pending member to a customer’s team and mails the invite. Refused over the customer’s maxTeamMembers.',
  scope: 'customers:write',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: { method: 'post', path: '/customers/{customerId}/team-members', group: 'Team members' },
  mails: () => true,
  input: AddTeamMember,
  output: TeamMemberResult,
  annotations: { ...ADDS, openWorld: true },
  errors: ['email_exists', 'team_limit_reached', 'team_disabled'],
  async write(tx, ctx, { partnerId }, { customerId, ...added }) {
    // The lock makes count and insert one step: two invites at once can't both take the last place.
    const customer = await lockCustomer(tx, partnerId, customerId)
    if (!customer.enableTeamMembers) throw new ServiceError('team_disabled')
    const isFull = (await countTeamMembers(tx, partnerId, customer.id)) >= customer.maxTeamMembers
    const member = await insertTeamMember(tx, partnerId, customer.id, added)
    if (!member) throw new ServiceError('email_exists', IS_MEMBER, { field: 'email' })
    if (isFull) throw new ServiceError('team_limit_reached', fullText(customer.maxTeamMembers))
    await mailMember(ctx, tx, customer, 'team_invite', member)
    await ctx.audit(tx, { targetType: 'team_member', targetId: member.id })
    return { message: 'The team member was added and an invite is on its way.', data: member }
  }
})

/** Mails a pending member a new link; the first one ends. */
export const resendTeamInvite = defineOperation({
  name: 'team_member_resend',
  title: 'Send a team invite again',
  scope: 'customers:write',
  channels: ['console', 'portal'],
  input: TeamMemberPath,
  annotations: { ...ADDS, openWorld: true },
  errors: ['team_disabled'],
  async write(tx, ctx, { partnerId }, { customerId, teamMemberId }) {
    const customer = await lockCustomer(tx, partnerId, customerId)
    if (!customer.enableTeamMembers) throw new ServiceError('team_disabled')
    const member = await findTeamMember(tx, partnerId, customer.id, teamMemberId)
    if (member?.status !== 'pending') throw new ServiceError('team_member_not_found')
    await mailMember(ctx, tx, customer, 'team_invite', member)
    await ctx.audit(tx, { targetType: 'team_member', targetId: member.id })
    return { message: 'The invite is on its way again.' }
  }
})

export const listTeamMembersOperation = defineOperation({
  name: 'team_member_list',
  title: 'List team members',
  summary: 'Returns all members of a customer’s team, pending ones too.',
  scope: 'customers:read',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: { method: 'get', path: '/customers/{customerId}/team-members', group: 'Team members' },
  input: CustomerPath,
  output: TeamMemberList,
  async handle({ db }, { partnerId }, { customerId }) {
    const customer = await getCustomer(db, partnerId, customerId)
    return { data: await listTeamMembers(db, partnerId, customer.id) }
  }
})

export const removeTeamMember = defineOperation({
  name: 'team_member_remove',
  title: 'Remove a team member',
  summary: 'Removes a member from a customer’s team and ends its access and invites at once.',
  scope: 'customers:write',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: {
    method: 'delete',
    path: '/customers/{customerId}/team-members/{teamMemberId}',
    group: 'Team members'
  },
  input: TeamMemberPath,
  output: acknowledgement('The team member was removed.'),
  annotations: CHANGES,
  async write(tx, ctx, { partnerId }, { customerId, teamMemberId }) {
    const customer = await getCustomer(tx, partnerId, customerId)
    if (!(await deleteTeamMember(tx, partnerId, customer.id, teamMemberId)))
      throw new ServiceError('team_member_not_found')
    await ctx.audit(tx, { targetType: 'team_member', targetId: teamMemberId })
    return { message: 'The team member was removed.' }
  }
})

export const teamOperations = [addTeamMember, resendTeamInvite, listTeamMembersOperation, removeTeamMember]
