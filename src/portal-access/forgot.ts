// Forgotten passwords. Whoever asks is answered the same whether or not there is such an account.
import { emailKey } from '../customers/email.ts'
import { lockCustomer } from '../customers/store.ts'
import type { Database } from '../database/database.ts'
import type { Outbox } from '../mail/outbox.ts'
import { findIdentity } from './identities.ts'
import { mintLink } from './links.ts'
import { membershipsOf } from './memberships.ts'
import { mailMemberReset, mailPasswordReset } from './reset.ts'

interface ForgotContext {
  database: Database
  outbox: Outbox
}

/** Mails a reset link to whoever has that address and a portal of the partner's that is open to them. */
export async function mailForgottenPassword(
  { database, outbox }: ForgotContext,
  partnerId: string,
  email: string
): Promise<void> {
  const identity = await findIdentity(database.read, partnerId, email)
  if (!identity) return
  await database.transaction(async (tx) => {
    const [membership] = await membershipsOf(tx, partnerId, identity.id)
    if (!membership) return
    const { customerId, teamMemberId } = membership
    const customer = await lockCustomer(tx, partnerId, customerId)
    const ctx = { mail: outbox.enqueue }
    if (teamMemberId !== null) return mailMemberReset(ctx, tx, customer, teamMemberId)
    return mailPasswordReset(ctx, tx, customer, 'password_forgotten')
  })
}

/** Mails a link to whoever signs in to the console with that address. */
export async function mailForgottenConsolePassword(
  { database, outbox }: ForgotContext,
  email: string
): Promise<void> {
  const user = await database.read
    .selectFrom('partnerUser')
    .innerJoin('partner', 'partner.id', 'partnerUser.partnerId')
    .where('partnerUser.emailKey', '=', emailKey(email))
    .where('partner.isActive', '=', 1)
    .select(['partnerUser.id', 'partnerUser.partnerId', 'partnerUser.email'])
    .executeTakeFirst()
  if (!user) return
  const { id: partnerUserId, partnerId } = user
  await database.transaction(async (tx) => {
    const linkToken = await mintLink(tx, partnerId, 'console_reset', { partnerUserId })
    await outbox.enqueue(tx, {
      partnerId,
      customerId: null,
      template: 'console_password',
      recipient: user.email,
      params: {},
      secret: { linkToken }
    })
  })
}
