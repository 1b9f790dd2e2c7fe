// Forgotten passwords. Whoever asks is answered the same whether or not there is such an account.
import type { Config } from '../config.ts'
import { emailKey } from '../customers/email.ts'
import { lockCustomer } from '../customers/store.ts'
import type { Database } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { spendMail } from '../limits/mail-budget.ts'
import type { Outbox } from '../mail/outbox.ts'
import { findIdentity } from './identities.ts'
import { mintLink } from './links.ts'
import { membershipsOf } from './memberships.ts'
import { mailMemberReset, mailPasswordReset } from './reset.ts'

interface ForgotContext {
  config: Config
  database: Database
  outbox: Outbox
}

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
    if (teamMemberId !== null) return mailMemberReset(ctx, tx, customer, teamMemberId)
    return mailPasswordReset(ctx, tx, customer, 'password_forgotten')
  })
  await write.catch(unlessSpent)
}

/** Mails a link to whoever signs in to the console with that address. */
export async function mailForgottenConsolePassword(
  { config, database, outbox }: ForgotContext,
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
  const write = database.transaction(async (tx) => {
    await spendMail(tx, config, { partnerId, by: 'forgot', recipient: email })
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
  await write.catch(unlessSpent)
}

/** Nobody is told that there were enough such mails today: it would tell that there is the account. */
function unlessSpent(error: unknown): void {
  if (!(error instanceof ServiceError && error.code === 'rate_limited')) throw error
}
