import type { WriteHandle } from '../database/database.ts'
import type { CustomerTable } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import type { OperationContext } from '../operation.ts'
import { findTeamMember } from '../team/store.ts'
import { recipientOf } from './grant.ts'
import { mintLink } from './links.ts'

/**
 * Mails the customer's owner a link that sets a new password; an earlier reset link ends. A suspended customer gets it
 * too: the new password opens the portal once access is granted again.
 *
 * @throws ServiceError `portal_access_missing` when portal access was never enabled
 */
export async function mailPasswordReset(
  ctx: Pick<OperationContext, 'mail'>,
  tx: WriteHandle,
  customer: CustomerTable,
  template: 'password_reset' | 'password_forgotten' = 'password_reset'
): Promise<void> {
  if (customer.credentialStatus === 'none') throw accessMissing('There is no password to reset')
  const { id: customerId, partnerId } = customer
  const linkToken = await mintLink(tx, partnerId, 'password_reset', { customerId })
  await ctx.mail(tx, {
    partnerId,
    customerId,
    template,
    recipient: customer.email,
    params: recipientOf(customer),
    secret: { linkToken }
  })
}

/**
 * Mails a team's member a link that sets a new password.
 *
 * @throws ServiceError `team_member_not_found` for one who was removed or has yet to accept the invite
 */
export async function mailMemberReset(
  ctx: Pick<OperationContext, 'mail'>,
  tx: WriteHandle,
  { partnerId, id: customerId }: CustomerTable,
  teamMemberId: string
): Promise<void> {
  const member = await findTeamMember(tx, partnerId, customerId, teamMemberId)
  if (member?.status !== 'active') {
    throw new ServiceError('team_member_not_found', 'The team member was removed or isn’t active yet.')
  }
  await ctx.mail(tx, {
    partnerId,
    customerId,
    template: 'password_forgotten',
    recipient: member.email,
    params: { recipientName: member.name, teamMemberId },
    secret: { linkToken: await mintLink(tx, partnerId, 'password_reset', { customerId, teamMemberId }) }
  })
}

/** The refusal of what needs portal access. */
export const accessMissing = (consequence: string): ServiceError =>
  new ServiceError(
    'portal_access_missing',
    `${consequence}: this customer has no portal access. Enable it first.`
  )
