// One attempt at one mail: what is in it, and the sending, outside any transaction.
import { z } from 'zod'
import { now } from '../clock.ts'
import { partnerIdOfCustomer } from '../customers/store.ts'
import type { ReadHandle } from '../database/database.ts'
import { isAway } from '../database/faults.ts'
import { withDeadline } from '../net/deadline.ts'
import { type Access, type Composed, compose, isNotice } from './compose.ts'
import { GivenUp, judge, type Verdict } from './failure.ts'
import { mark } from './mark.ts'
import type { MailSecret, OutboxContext } from './outbox.ts'
import { getMailPartner, linkValidUntil, readParams } from './sources.ts'
import type { ClaimedMail } from './store.ts'
import type { Transport } from './transport.ts'

interface CourierContext extends OutboxContext {
  transport: Transport
  /** Base of links, unless the partner has a portal host of its own. */
  publicUrl: string
  /** The most that one conversation with the mail server may take as a whole. */
  attemptMs: number
}

interface Courier {
  /** Sends the mail and marks it sent, due again or given up. Never throws. */
  attempt(mail: ClaimedMail, signal: AbortSignal): Promise<void>
}

const Secret: z.ZodType<MailSecret> = z.object({
  linkToken: z.string(),
  temporaryPassword: z.string().exactOptional()
})

export function createCourier(ctx: CourierContext): Courier {
  return {
    async attempt(mail, signal) {
      const verdict = await send(ctx, mail, signal)
      await mark(ctx, mail, verdict, signal)
    }
  }
}

async function send(ctx: CourierContext, mail: ClaimedMail, signal: AbortSignal): Promise<Verdict | 'sent'> {
  let secret: MailSecret | undefined
  try {
    secret = unsealed(ctx, mail)
    const composed = await prepare(ctx, mail, secret)
    await withDeadline({ timeoutMs: ctx.attemptMs, signals: [signal] }, (bounded) =>
      ctx.transport.send(composed, bounded)
    )
    return 'sent'
  } catch (error) {
    return signal.aborted || isAway(error)
      ? { kind: 'interrupted' }
      : judge(error, secret ? Object.values(secret) : [])
  }
}

/**
 * What the mail lets in with; nothing for a notice.
 *
 * @throws GivenUp when nothing that is worth reading can be sent any more
 */
function unsealed({ config, secrets }: CourierContext, mail: ClaimedMail): MailSecret | undefined {
  // Attempts count when they begin: this one would be one too many, and the last one ended with its process.
  if (mail.attempts > config.mailAttempts) {
    throw new GivenUp('attempts_exhausted', 'The process ended during the last attempt.')
  }
  if (isNotice(mail.template)) return undefined
  if (mail.sealedSecret === null) throw new GivenUp('secret_missing', 'Its link is no longer kept.')
  try {
    return Secret.parse(JSON.parse(secrets.unseal(mail.sealedSecret, mail.id)))
  } catch {
    throw new GivenUp(
      'secret_unreadable',
      'Its link can’t be read: it was altered or sealed under another key.'
    )
  }
}

/**
 * A mail of an inactive partner is given up, too: its portal is closed, and nobody should be asked into it. Sending
 * again, once the partner is back, makes a new link.
 */
async function prepare(
  { config, database, publicUrl }: CourierContext,
  mail: ClaimedMail,
  secret: MailSecret | undefined
): Promise<Composed> {
  const partner = await getMailPartner(database.read, mail.partnerId)
  if (!partner.isActive) throw new GivenUp('partner_inactive', 'The partner is inactive.')
  if (mail.customerId !== null && !(await partnerIdOfCustomer(database.read, mail.customerId)))
    throw new GivenUp('customer_erased', 'The customer that it is about was erased.', 'drop')
  const access = secret && (await accessOf(database.read, mail.partnerId, secret))
  return compose(mail, readParams(mail.params), access, {
    partner,
    mailFrom: config.mailFrom,
    linkBase: partner.portalOrigin ?? `${publicUrl}/portal/${partner.slug}`,
    consoleUrl: `${publicUrl}/console`
  })
}

async function accessOf(db: ReadHandle, partnerId: string, secret: MailSecret): Promise<Access> {
  const validUntil = await linkValidUntil(db, partnerId, secret.linkToken)
  if (!validUntil)
    throw new GivenUp('link_ended', 'Its link was used, replaced by a newer one, or taken back.', 'drop')
  if (validUntil <= now()) throw new GivenUp('link_ended', 'Its link ran out before it could be sent.')
  return { ...secret, validUntil }
}
