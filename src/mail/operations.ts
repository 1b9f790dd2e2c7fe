import { Acknowledgement } from '../../schemas/envelope.ts'
import { ListMails, MailPage, MailPath } from '../../schemas/mail.ts'
import { getCustomer, lockCustomer } from '../customers/store.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { ADDS, defineOperation } from '../operation.ts'
import {
  accessMissing,
  grantPortalAccess,
  mailMember,
  mailPasswordReset,
  prepareCredentials
} from '../portal-access/access-mails.ts'
import type { MailContext } from '../portal-access/links.ts'
import { findTeamMember } from '../team/store.ts'
import { findMail, listMails } from './store.ts'

/** Returns the mails that were written for you and your customers, newest first, with why one failed. */
export const listMailsOperation = defineOperation({
  name: 'mail_list',
  scope: 'customers:read',
  channels: ['console'],
  input: ListMails,
  output: MailPage,
  async handle({ db }, { partnerId }, query) {
    const { rows, pagination } = await listMails(db, partnerId, query)
    return {
      data: rows.map(({ id, ...mail }) => ({
        mailId: id,
        ...mail,
        canResend: mail.customerId !== null && RESENDABLE.has(mail.template)
      })),
      pagination
    }
  }
})

/** Sends an invite or a reset again with a new link, to the address that its reader has now. The first link ends. */
export const resendMailOperation = defineOperation({
  name: 'mail_resend',
  title: 'Send a mail again',
  scope: 'customers:write',
  channels: ['console', 'operator'],
  input: MailPath,
  output: Acknowledgement,
  annotations: { ...ADDS, openWorld: true },
  errors: ['mail_not_found', 'portal_access_missing', 'team_member_not_found'],
  async handle(ctx, { partnerId }, { mailId }) {
    const mail = await findMail(ctx.db, partnerId, mailId)
    if (!mail?.customerId) throw missing('There is no mail with this id whose customer still exists.')
    const { template, customerId, params } = mail
    if (!RESENDABLE.has(template)) {
      throw missing('This mail told how things stood then. Only invites and resets are sent again.')
    }
    const isInvite = template === 'portal_invite'
    if (isInvite) requireAccess(await getCustomer(ctx.db, partnerId, customerId))
    const credentials = isInvite ? await prepareCredentials(partnerId) : undefined
    return ctx.transaction(async (tx) => {
      const customer = await lockCustomer(tx, partnerId, customerId)
      if (credentials) {
        requireAccess(customer)
        await grantPortalAccess(ctx, tx, customer, credentials)
      } else if (template === 'password_reset') await mailPasswordReset(ctx, tx, customer)
      else await inviteMemberAgain(ctx, tx, customer, params.teamMemberId ?? '')
      await ctx.audit(tx, { targetType: 'mail', targetId: mailId })
      return { message: 'The mail is on its way again, with a new link.' }
    })
  }
})

/** Notices are of their day, and a link that its reader asked for is asked for again. */
const RESENDABLE = new Set<Tables['mail']['template']>(['portal_invite', 'password_reset', 'team_invite'])

const missing = (message: string): ServiceError =>
  new ServiceError('mail_not_found', message, { field: 'mailId' })

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
    const message = 'The invited team member was removed or is active already.'
    throw new ServiceError('team_member_not_found', message)
  }
  await mailMember(ctx, tx, customer, 'team_invite', member)
}

export const mailOperations = [listMailsOperation, resendMailOperation]
