// One attempt at one mail: what is in it, the sending, outside any transaction, and what that leaves in the mail's row.
import { type MailText, WordedMail } from '../../schemas/mail.ts'
import { fromNow, HOUR_MS, now } from '../clock.ts'
import type { Config } from '../config.ts'
import { languageOfCustomer } from '../customers/store.ts'
import type { Database, ReadHandle } from '../database/database.ts'
import { isAway } from '../database/faults.ts'
import type { Tables } from '../database/tables.ts'
import { insist } from '../jobs/insist.ts'
import type { Lease } from '../jobs/leases.ts'
import { inLanguage } from '../language/say.ts'
import type { Log } from '../log.ts'
import { backoffMs } from '../net/backoff.ts'
import { withDeadline } from '../net/deadline.ts'
import { getBrandedPartner } from '../partners/portal-site.ts'
import type { Secrets } from '../secrets.ts'
import { tally } from '../tally.ts'
import { inSpan } from '../trace.ts'
import { type Access, type Composed, compose, isNotice, type Transport } from './compose.ts'
import { GivenUp, judge, type Verdict } from './failure.ts'
import { finished, linkValidUntil, listMailTexts, type MailPartner, markSent, readParams } from './store.ts'
import { brandingOf } from './templates/branding.ts'
import { MailSecret, NOTICES } from './templates/letters.ts'

type Mail = Tables['mail']

export interface OutboxDeps {
  config: Config
  database: Database
  secrets: Secrets
  log: Log
}

interface CourierContext extends OutboxDeps {
  transport: Transport
  /** Base of links, unless the partner has a portal host. */
  publicUrl: string
  /** The most that one conversation with the mail server may take as a whole. */
  attemptMs: number
}

export async function attemptMail(ctx: CourierContext, lease: Lease<'mail'>): Promise<void> {
  // With this attempt counted: a mail that kills its process is given up one day, too.
  const mail = { ...lease.row, attempts: lease.row.attempts + 1 }
  await mark(ctx, mail, lease, await send(ctx, mail, lease.signal))
}

async function send(ctx: CourierContext, mail: Mail, signal: AbortSignal): Promise<Verdict | 'sent'> {
  let secret: MailSecret | undefined
  try {
    secret = unsealed(ctx, mail)
    const composed = await prepare(ctx, mail, secret)
    await withDeadline({ timeoutMs: ctx.attemptMs, signals: [signal] }, (bounded) =>
      inSpan('send', () => ctx.transport.send(composed, bounded))
    )
    return 'sent'
  } catch (error) {
    return signal.aborted || isAway(error)
      ? { kind: 'interrupted' }
      : judge(error, secret ? Object.values(secret) : [])
  }
}

/** Nothing for a notice. @throws GivenUp when nothing that is worth reading can be sent any more */
function unsealed({ config, secrets }: CourierContext, mail: Mail): MailSecret | undefined {
  // Attempts count when they begin: this one would be one too many, and the last one ended with its process.
  if (mail.attempts > config.mailAttempts) {
    throw new GivenUp('attempts_exhausted', 'The process ended during the last attempt.')
  }
  if (isNotice(mail.template)) return undefined
  if (mail.sealedSecret === null) throw new GivenUp('secret_missing', 'Its link is no longer kept.')
  try {
    return MailSecret.parse(JSON.parse(secrets.unseal(mail.sealedSecret, mail.id)))
  } catch {
    const reason = 'Its link can’t be read: it was altered or sealed under another key.'
    throw new GivenUp('secret_unreadable', reason)
  }
}

/** An inactive partner's portal is closed. Once the partner is back, sending again makes a new link. */
async function prepare(
  { config, database, publicUrl }: CourierContext,
  mail: Mail,
  secret: MailSecret | undefined
): Promise<Composed> {
  const partner = await getBrandedPartner(database.read, mail.partnerId)
  if (!partner.isActive) throw new GivenUp('partner_inactive', 'The partner is inactive.')
  const { partnerId, customerId } = mail
  const customer = customerId === null ? null : await languageOfCustomer(database.read, partnerId, customerId)
  if (customer === undefined)
    throw new GivenUp('customer_erased', 'The customer that it is about was erased.', 'drop')
  const access = secret && (await accessOf(database.read, mail.partnerId, secret))
  const params = readParams(mail.params)
  const language = params.test?.language ?? customer?.portalLanguage ?? partner.brand.language ?? 'en'
  const template = WordedMail.safeParse(mail.template).data
  const [words] = template ? await listMailTexts(database.read, partnerId, { template, language }) : []
  return compose(mail, params, access, { ...placeOf(config, publicUrl, partner), language, words })
}

const placeOf = ({ mailFrom }: Config, publicUrl: string, partner: MailPartner) => ({
  ...{ partner, mailFrom, consoleUrl: `${publicUrl}/console` },
  linkBase: partner.portalOrigin ?? `${publicUrl}/portal/${partner.slug}`
})

type PreviewContext = Pick<CourierContext, 'config' | 'database' | 'publicUrl'>

/** What a test would bring, and what we say where the partner has no words of its own. */
export async function previewTest(ctx: PreviewContext, partnerId: string, test: MailText) {
  const partner = await getBrandedPartner(ctx.database.read, partnerId)
  const mail = { template: 'mail_test', recipient: '', messageId: '', createdAt: now(), attempts: 1 } as const
  const place = { ...placeOf(ctx.config, ctx.publicUrl, partner), language: test.language }
  const { subject, text } = compose(mail, { test }, undefined, place).message
  const unworded = { ...test, subject: null, intro: null, outro: null }
  const content = { ...place, test: unworded, branding: brandingOf(partner), recipient: '' }
  const ours = inLanguage(test.language, () => NOTICES.mail_test.page(content))
  const [intro, outro] = [ours.intro.join('\n\n'), ours.outro.join('\n\n')]
  const words = { subject: ours.subject.replace('[Test] ', ''), intro, outro }
  return { subject: String(subject), text: String(text), ours: words }
}

async function accessOf(db: ReadHandle, partnerId: string, secret: MailSecret): Promise<Access> {
  const validUntil = await linkValidUntil(db, partnerId, secret.linkToken)
  if (!validUntil)
    throw new GivenUp('link_ended', 'Its link was used, replaced by a newer one, or taken back.', 'drop')
  if (validUntil <= now()) throw new GivenUp('link_ended', 'Its link ran out before it could be sent.')
  return { ...secret, validUntil }
}

/** A mail that is out must not look as if it were not. */
const mark = (ctx: CourierContext, mail: Mail, lease: Lease<'mail'>, verdict: Verdict | 'sent') =>
  insist(() => markOnce(ctx, mail, lease, verdict), {
    signal: lease.signal,
    onError: (error) => ctx.log.warn('a mail’s state could not be kept', { mailId: mail.id, error })
  })

async function markOnce(
  { config, log, database }: CourierContext,
  mail: Mail,
  lease: Lease<'mail'>,
  verdict: Verdict | 'sent'
): Promise<void> {
  const letGo = (columns: Partial<Mail>) => database.transaction((tx) => lease.letGo(tx, columns))
  const fields = { mailId: mail.id, template: mail.template, partnerId: mail.partnerId }
  if (verdict === 'sent') {
    await database.transaction((tx) => markSent(tx, mail.id))
    tally('mindgate_work_ended_total', ['mail', 'sent'])
    return log.info('a mail was sent', { ...fields, attempts: mail.attempts })
  }
  if (verdict.kind === 'interrupted') {
    // Not the mail's fault: it counts for nothing, and the next process goes on at once.
    await letGo({ attempts: mail.attempts - 1, nextAttemptAt: now() })
    return
  }
  const { kind, code, reason: lastError } = verdict
  const attempts = Math.min(mail.attempts, config.mailAttempts)
  if (kind === 'drop') {
    await letGo({ ...finished('dropped'), lastError, attempts })
    tally('mindgate_work_ended_total', ['mail', 'dropped'])
    return log.info('a mail was no longer needed', { ...fields, code })
  }
  if (kind === 'give_up' || mail.attempts >= config.mailAttempts) {
    const wasOurs = await letGo({ ...finished('failed'), lastError, attempts })
    if (!wasOurs) return
    tally('mindgate_work_ended_total', ['mail', 'given_up'])
    return log.error('a mail was given up', { ...fields, attempts, code })
  }
  const delayMs = backoffMs({ firstMs: config.mailRetryMs, longestMs: HOUR_MS }, attempts - 1)
  await letGo({ attempts, nextAttemptAt: fromNow(delayMs), lastError })
  tally('mindgate_work_ended_total', ['mail', 'put_off'])
  log.warn('a mail could not be sent yet', { ...fields, attempts, code })
}
