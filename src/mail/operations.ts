// What the console offers on mails: what became of them, and sending one again.
import { Acknowledgement, paginate } from '../../schemas/envelope.ts'
import { ListMails, MailPage, MailPath } from '../../schemas/mail.ts'
import { defineOperation } from '../operation.ts'
import { canResend, prepareResend } from '../portal-access/resend.ts'
import { countMails, listMails } from './history.ts'

export const listMailsOperation = defineOperation({
  name: 'mail_list',
  title: 'List mails',
  summary:
    'Returns the mails that were written for you and your customers, newest first, with why one failed.',
  scope: 'customers:read',
  channels: ['console'],
  input: ListMails,
  output: MailPage,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [],
  async handle({ db }, { partnerId }, { page, limit, status }) {
    const [mails, totalCount] = await Promise.all([
      listMails(db, partnerId, { status, limit, offset: (page - 1) * limit }),
      countMails(db, partnerId, status)
    ])
    return {
      data: mails.map(({ id, ...mail }) => ({
        mailId: id,
        ...mail,
        canResend: mail.customerId !== null && canResend(mail.template)
      })),
      pagination: paginate(page, limit, totalCount)
    }
  }
})

export const resendMailOperation = defineOperation({
  name: 'mail_resend',
  title: 'Send a mail again',
  summary:
    'Sends an invite or a reset again with a new link, to the address that its reader has now. The first link ends.',
  scope: 'customers:write',
  channels: ['console', 'operator'],
  input: MailPath,
  output: Acknowledgement,
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  errors: ['mail_not_found', 'portal_access_missing', 'team_member_not_found'],
  async handle(ctx, { partnerId }, { mailId }) {
    const resend = await prepareResend(ctx.db, partnerId, mailId)
    return ctx.transaction(async (tx) => {
      await resend(ctx, tx)
      await ctx.audit(tx, { targetType: 'mail', targetId: mailId })
      return { message: 'The mail is on its way again, with a new link.' }
    })
  }
})
