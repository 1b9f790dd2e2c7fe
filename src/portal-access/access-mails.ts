// Mails that let somebody in: the invite to a portal (§4A), and links that set a new password, sent by the partner or asked
// for by whoever forgot theirs. Whoever asks is answered the same whether or not there is such an account.
import { fromNow } from '../clock.ts'
import { lockCustomer, updateCustomer } from '../customers/store.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { spendMail } from '../limits/daily.ts'
import type { OutboxDeps } from '../mail/courier.ts'
import type { Outbox } from '../mail/outbox.ts'
import { findTeamMember } from '../team/store.ts'
import { tell } from '../webhooks/events.ts'
import { addIdentity, findIdentity } from './identities.ts'
import { INVITE_MS, type MailContext, mailLink } from './links.ts'
import { membershipsOf } from './memberships.ts'
import { hashPassword, newTemporaryPassword } from './passwords.ts'
import { endSessionsOfCustomer } from './sessions.ts'
import { findPartnerUser } from './sign-in.ts'

/** Made before the transaction, and after whatever can be refused: hashing takes time. @throws `rate_limited` */
export async function prepareCredentials(partnerId: string) {
  const temporaryPassword = newTemporaryPassword()
  return { temporaryPassword, passwordHash: await hashPassword(temporaryPassword, `partner ${partnerId}`) }
}

/** Opens the portal to the customer's owner and mails the invite; earlier ones end, and so does every session in it. */
export async function grantPortalAccess(
  ctx: MailContext,
  tx: WriteHandle,
  customer: CustomerTable,
  { temporaryPassword, passwordHash }: Awaited<ReturnType<typeof prepareCredentials>>
): Promise<CustomerTable> {
  const { id: customerId, partnerId, email } = customer
  const ownerIdentityId = await addIdentity(tx, partnerId, email, {
    temporaryPasswordHash: passwordHash,
    temporaryPasswordExpiresAt: fromNow(INVITE_MS)
  })
  await endSessionsOfCustomer(tx, { ...customer, ownerIdentityId })
  await mailCustomer(ctx, tx, customer, 'portal_invite', { temporaryPassword })
  await tell(tx, partnerId, 'portal_access.changed', { customerId, status: 'active' })
  return updateCustomer(tx, partnerId, customerId, {
    ownerIdentityId,
    credentialStatus: 'active',
    customerPortalEnabled: 1
  })
}

type ForgotContext = Pick<OutboxDeps, 'config' | 'database'> & { outbox: Outbox }

/** Mails a reset link to whoever has that address and a portal of the partner's that is open to them. */
export async function mailForgottenPassword(
  { config, database, outbox }: ForgotContext,
  partnerId: string,
  email: string
): Promise<void> {
  const identity = await findIdentity(database.read, partnerId, email)
  if (!identity) return
  const write = database.transaction(async (tx) => {
    const [membership] = await membershipsOf(tx, partnerId, identity.id)
    if (!membership) return
    await spendMail(tx, config, { partnerId, by: 'forgot', recipient: email })
    const { customerId, teamMemberId } = membership
    const customer = await lockCustomer(tx, partnerId, customerId)
    const ctx = { mail: outbox.enqueue }
    if (teamMemberId === null) return mailCustomer(ctx, tx, customer, 'password_forgotten')
    const member = await findTeamMember(tx, partnerId, customerId, teamMemberId)
    if (member) await mailMember(ctx, tx, customer, 'password_forgotten', member)
  })
  await write.catch(unlessSpent)
}

/** Mails a link to whoever signs in to the console with that address. */
export async function mailForgottenConsolePassword(
  { config, database, outbox }: ForgotContext,
  email: string
): Promise<void> {
  const user = await findPartnerUser(database.read, email)
  if (!user) return
  const { id: partnerUserId, partnerId, email: recipient } = user
  const write = database.transaction(async (tx) => {
    await spendMail(tx, config, { partnerId, by: 'forgot', recipient: email })
    const letter = { template: 'console_password', recipient, params: {} } as const
    await mailLink({ mail: outbox.enqueue }, tx, partnerId, { partnerUserId }, letter)
  })
  await write.catch(unlessSpent)
}

/** Nobody is told that there were enough such mails today: it would tell that there is the account. */
function unlessSpent(error: unknown): void {
  if (!(error instanceof ServiceError && error.code === 'rate_limited')) throw error
}

/**
 * Mails the customer's owner a reset link. A suspended customer gets it too: the new password opens the portal once access
 * is granted again. @throws ServiceError `portal_access_missing` when it never was
 */
export async function mailPasswordReset(
  ctx: MailContext,
  tx: WriteHandle,
  customer: CustomerTable
): Promise<void> {
  if (customer.credentialStatus === 'none') throw accessMissing('There is no password to reset')
  await mailCustomer(ctx, tx, customer, 'password_reset')
}

const mailCustomer = (
  ctx: MailContext,
  tx: WriteHandle,
  customer: CustomerTable,
  template: 'portal_invite' | 'password_reset' | 'password_forgotten',
  temporary?: { temporaryPassword: string }
): Promise<void> => {
  const { id: customerId, partnerId, email: recipient } = customer
  const letter = { template, recipient, params: recipientOf(customer) }
  return mailLink(ctx, tx, partnerId, { customerId }, letter, temporary)
}

/** Mails a member of the customer's team a link of its own: to accept the invite, or to set a new password. */
export const mailMember = (
  ctx: MailContext,
  tx: WriteHandle,
  customer: CustomerTable,
  template: 'team_invite' | 'password_forgotten',
  { id: teamMemberId, name: recipientName, email: recipient, role }: Tables['teamMember']
): Promise<void> => {
  const { id: customerId, partnerId } = customer
  const params = { ...recipientOf(customer), recipientName, teamMemberId, role }
  return mailLink(ctx, tx, partnerId, { customerId, teamMemberId }, { template, recipient, params })
}

export const recipientOf = ({
  firstName,
  companyName
}: Pick<CustomerTable, 'firstName' | 'companyName'>) => ({
  ...(firstName ? { recipientName: firstName } : {}),
  ...(companyName ? { companyName } : {})
})

export const accessMissing = (consequence: string): ServiceError =>
  new ServiceError(
    'portal_access_missing',
    `${consequence}: this customer has no portal access. Enable it first.`
  )
