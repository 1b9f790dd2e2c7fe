import { ListMails, MailPage, MailPath, MailTextList, SetMailText } from '../../schemas/mail.ts'
import { HOUR_MS } from '../clock.ts'
import { getCustomer, lockCustomer } from '../customers/store.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { spendQuota } from '../limits/daily.ts'
import { ADDS, defineOperation, SETS } from '../operation.ts'
import {
  accessMissing,
  grantPortalAccess,
  mailMember,
  mailPasswordReset,
  prepareCredentials
} from '../portal-access/access-mails.ts'
import type { MailContext } from '../portal-access/links.ts'
import { findTeamMember } from '../team/store.ts'
import { findMail, listMails, listMailTexts, setMailText } from './store.ts'

/** Returns the mails that were written for you and your customers, newest first, with why one failed. */
export const listMailsOperation = defineOperation({
  name: 'mail_list',
  scope: 'customers:read',
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

/** Returns the mails that you put into your own words, by template and language; others are in ours. */
export const listMailTextsOperation = defineOperation({
  name: 'mail_text_list',
  scope: 'settings:read',
  output: MailTextList,
  async handle({ db }, { partnerId }) {
    return { data: await listMailTexts(db, partnerId) }
  }
})

/** Puts a mail into your own words, in one language; what is null goes back to ours. */
export const setMailTextOperation = defineOperation({
  name: 'mail_text_set',
  title: 'Word a mail',
  scope: 'settings:write',
  input: SetMailText,
  annotations: SETS,
  async write(tx, ctx, { partnerId }, text) {
    const { template, language, ...words } = text
    const [before] = await listMailTexts(tx, partnerId, { template, language })
    await setMailText(tx, partnerId, text)
    const fields = Object.entries(words).filter(([name, own]) => own !== Reflect.get(before ?? {}, name))
    const targetId = `${template} ${language}`
    await ctx.audit(tx, { targetType: 'mail_text', targetId, fields: fields.map(([name]) => name) })
    return { message: 'The text was saved. Mails that leave from now on have it.' }
  }
})

/** Of a partner. */
const TESTS_AN_HOUR = 20

/** Sends a mail in these words, with example values, to whoever is signed in. */
export const sendMailText = defineOperation({
  name: 'mail_text_send',
  title: 'Send oneself a test of a mail',
  scope: 'settings:write',
  input: SetMailText,
  annotations: { ...ADDS, openWorld: true },
  errors: ['unauthorized'],
  async write(tx, ctx, { partnerId, email: recipient }, test) {
    if (!recipient) throw new ServiceError('unauthorized', 'Sign in to the console first.')
    const spent = {
      quota: TESTS_AN_HOUR,
      of: ['mail test', partnerId],
      what: 'That were enough tests for now'
    }
    await spendQuota(tx, ctx.config, spent, HOUR_MS)
    await ctx.mail(tx, { partnerId, customerId: null, template: 'mail_test', recipient, params: { test } })
    await ctx.audit(tx, { targetType: 'mail_text', targetId: `${test.template} ${test.language}` })
    return { message: `The test is on its way to ${recipient}.` }
  }
})

export const mailOperations = [
  ...[listMailsOperation, resendMailOperation],
  ...[listMailTextsOperation, setMailTextOperation, sendMailText]
]
