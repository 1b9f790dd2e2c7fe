// Sending a mail again: what was in the first one is gone, so the new one has a new link and a new password.
import { getCustomer, lockCustomer } from '../customers/store.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { CustomerTable, MailTable } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { findMail } from '../mail/history.ts'
import { inviteTeamMember } from '../team/invite.ts'
import { findTeamMember } from '../team/store.ts'
import { grantPortalAccess, prepareCredentials } from './grant.ts'
import type { MailContext } from './links.ts'
import { accessMissing, mailPasswordReset } from './reset.ts'

/**
 * Sends a mail of the partner's again, to the address that its customer or team member has now. Links and passwords of the
 * first one end. In two steps: what takes time first, then what writes.
 *
 * @throws ServiceError `mail_not_found`, `rate_limited`, and what now forbids the mail; what is returned throws that, too
 */
export async function prepareResend(
  db: ReadHandle,
  partnerId: string,
  mailId: string
): Promise<(ctx: MailContext, tx: WriteHandle) => Promise<void>> {
  const mail = await findMail(db, partnerId, mailId)
  if (!mail?.customerId) {
    throw new ServiceError('mail_not_found', 'There is no mail with this id whose customer still exists.', {
      field: 'mailId'
    })
  }
  const { template, customerId } = mail
  if (!canResend(template)) {
    const message = 'This mail told how things stood then. Only invites and resets are sent again.'
    throw new ServiceError('mail_not_found', message, { field: 'mailId' })
  }
  const teamMemberId = mail.params.teamMemberId ?? ''
  const isInvite = template === 'portal_invite'
  if (isInvite) requireAccess(await getCustomer(db, partnerId, customerId))
  const credentials = isInvite ? await prepareCredentials(partnerId) : undefined
  return async (ctx, tx) => {
    const customer = await lockCustomer(tx, partnerId, customerId)
    if (credentials) {
      requireAccess(customer)
      await grantPortalAccess(ctx, tx, customer, credentials)
      return
    }
    if (template === 'password_reset') return mailPasswordReset(ctx, tx, customer)
    return inviteMemberAgain(ctx, tx, customer, teamMemberId)
  }
}

/** Notices are of their day, and a link that its reader asked for is asked for again. */
export const canResend = (template: MailTable['template']): boolean => RESENDABLE.has(template)

const RESENDABLE: ReadonlySet<MailTable['template']> = new Set([
  'portal_invite',
  'password_reset',
  'team_invite'
])

/** Granting would open a portal that was blocked since. */
function requireAccess({ credentialStatus }: CustomerTable): void {
  if (credentialStatus !== 'active') throw accessMissing('The invite can’t be sent again')
}

async function inviteMemberAgain(
  ctx: MailContext,
  tx: WriteHandle,
  customer: CustomerTable,
  teamMemberId: string
): Promise<void> {
  const member = await findTeamMember(tx, customer.partnerId, customer.id, teamMemberId)
  if (member?.status !== 'pending') {
    throw new ServiceError(
      'team_member_not_found',
      'The invited team member was removed or is active already.'
    )
  }
  await inviteTeamMember(ctx, tx, customer, member)
}
