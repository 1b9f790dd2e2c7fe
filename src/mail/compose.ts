import { domainToASCII } from 'node:url'
import type { SendMailOptions } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import type { Language } from '../../schemas/language.ts'
import type { Tables } from '../database/tables.ts'
import { inLanguage } from '../language/say.ts'
import type { MailPartner } from './store.ts'
import { brandingOf, CONSOLE_BRANDING } from './templates/branding.ts'
import { layOutHtml, layOutText, type Page } from './templates/layout.ts'
import type { LetterParams, NoticeContent } from './templates/letter-parts.ts'
import { LETTERS, type MailSecret, NOTICES, type NoticeTemplate } from './templates/letters.ts'
import { type MailWords, reworded } from './templates/own-words.ts'

export interface Composed {
  message: SendMailOptions
  messageId: string
  recipient: string
  /** Whether no attempt came before this one, as far as it is known. */
  isFirstAttempt: boolean
}

export interface Transport {
  /** Resolves once the mail is in safe hands; rejects when it isn't or can't be told, and when `signal` aborts. */
  send(mail: Composed, signal: AbortSignal): Promise<void>
}

/** Whether the template needs no link. */
export const isNotice = (template: Tables['mail']['template']): template is NoticeTemplate =>
  template in NOTICES

export interface Access extends MailSecret {
  validUntil: string
}

interface ComposeDeps {
  partner: MailPartner
  /** Of the customer's people; the partner's own read English, as in the console. */
  language: Language
  /** The partner's own, in that language. */
  words?: MailWords | undefined
  mailFrom: string
  linkBase: string
  consoleUrl: string
}

/** Composes the mail under the partner's brand; the same Message-ID and Date on each attempt. A notice has no access. */
export function compose(
  mail: Pick<Tables['mail'], 'recipient' | 'template' | 'messageId' | 'createdAt' | 'attempts'>,
  params: LetterParams,
  access: Access | undefined,
  { partner, language, words, mailFrom, linkBase, consoleUrl }: ComposeDeps
): Composed {
  const branding = OF_CONSOLE.has(mail.template) ? CONSOLE_BRANDING : brandingOf(partner)
  const { recipient, template, messageId, createdAt, attempts } = mail
  const content = { ...params, branding, recipient, linkBase, consoleUrl }
  const spoken = TO_PARTNERS.has(template) ? 'en' : language
  const parts = inLanguage(spoken, () => {
    const page = reworded(pageOf(template, content, access), words, { ...content, ...access })
    return { subject: page.subject, text: layOutText(page, branding), html: layOutHtml(page, branding) }
  })
  const address = senderAddress(mailFrom)
  const { supportEmail: support } = branding
  return {
    messageId,
    recipient,
    isFirstAttempt: attempts === 1,
    message: {
      messageId,
      date: new Date(createdAt),
      from: { name: branding.name, address },
      to: { name: '', address: recipient },
      // An address like josé@ in a header asks for SMTPUTF8 on the whole way to readers who need none of it.
      replyTo: support && !needsUtf8(support) ? { name: branding.name, address: support } : undefined,
      envelope: { from: address, to: [recipient] },
      // RFC 3834; the second one is what Exchange reads: no out-of-office answers.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      ...parts
    }
  }
}

/** Mails that are Mindgate's own. */
const OF_CONSOLE: ReadonlySet<Tables['mail']['template']> = new Set(['console_invite', 'console_password'])

/** Mails that go to a partner's own people. */
const TO_PARTNERS: ReadonlySet<Tables['mail']['template']> = new Set([
  ...OF_CONSOLE,
  'low_credit_partner',
  'agent_unreachable',
  'agent_answers'
])

function pageOf(
  template: Tables['mail']['template'],
  content: NoticeContent,
  access: Access | undefined
): Page {
  if (isNotice(template)) return NOTICES[template].page(content)
  if (!access) throw new Error(`The ${template} mail has no link`)
  const { linkToken, temporaryPassword, validUntil } = access
  return LETTERS[template].page({ ...content, linkToken, temporaryPassword, validUntil })
}

/** The address in `MAIL_FROM`, such as `no-reply@example.com`; the partner's brand replaces its name. Empty if there is none. */
export const senderAddress = (mailFrom: string): string =>
  addressparser(mailFrom, { flatten: true })[0]?.address ?? ''

/** Whether mail to the address needs SMTPUTF8 (RFC 6531): a domain has A-labels for it, what is before the @ hasn't. */
export const needsUtf8 = (address: string): boolean =>
  /[^\x20-\x7e]/.test(address.slice(0, address.lastIndexOf('@')))

/** The right side of our Message-IDs: the sender's host, else `mindgate`. */
export function messageIdHost(address: string): string {
  const host = domainToASCII(address.slice(address.lastIndexOf('@') + 1))
  return address.includes('@') && /^[a-z0-9.-]+$/.test(host) ? host : 'mindgate'
}
