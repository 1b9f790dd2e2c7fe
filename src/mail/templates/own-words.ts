// Mails to customers' people in their partner's words. Heading, details, link and reason stay ours: what a
// mail is for and why it came is told in any case.
import type { MailText } from '../../../schemas/mail.ts'
import { directionOf, language } from '../../language/say.ts'
import type { Page } from './layout.ts'
import { amountText, type NoticeContent, spokenInstant } from './letter-parts.ts'

export type MailWords = Pick<MailText, 'subject' | 'intro' | 'outro'>
type Content = NoticeContent & { validUntil?: string }

/** The page with the partner's words in place of ours. Where no name is known, the address is filled in. */
export function reworded(page: Page, words: MailWords | undefined, content: Content): Page {
  const { recipient, validUntil, balance, threshold } = content
  const values: Record<string, string | undefined> = {
    name: content.recipientName ?? recipient,
    company: content.companyName ?? recipient,
    brand: content.branding.name,
    time: validUntil && spokenInstant(validUntil),
    balance: balance && amountText(balance),
    threshold: threshold && amountText(threshold)
  }
  const isolated = (value: string) => (directionOf(language()) === 'rtl' ? `\u2068${value}\u2069` : value)
  // In one go: what is filled in may itself have braces.
  const filled = (own: string) => own.replaceAll(/\{(\w+)\}/g, (all, name) => isolated(values[name] ?? all))
  const paragraphs = (own: string) => filled(own).split(/\s*\n\s*/)
  return {
    ...page,
    ...(words?.subject && { subject: filled(words.subject) }),
    ...(words?.intro && { intro: paragraphs(words.intro), preview: filled(words.intro) }),
    ...(words?.outro && { outro: paragraphs(words.outro) })
  }
}
