// The outbox as people look at it: what waits, what was sent, what was given up and why, and what was no longer needed.
import { z } from 'zod'
import { lookingBy, PageQuery, pageOf } from './envelope.ts'
import { nullable, stored } from './fields.ts'
import { Language } from './language.ts'
import {
  createdAt,
  optionalName,
  RecordId,
  requiredText,
  StoredEmail,
  StoredTimestamp,
  said
} from './primitives.ts'

export const MailStatus = z.enum(['queued', 'sent', 'failed', 'dropped'])
export type MailStatus = z.output<typeof MailStatus>

export const ListMails = PageQuery.extend({ ...lookingBy('recipient'), status: MailStatus.optional() })
export const MailPath = z.strictObject({ mailId: RecordId })

export const Mail = z.object({
  mailId: z.string(),
  customerId: z.string().nullable(),
  template: z.string(),
  recipient: StoredEmail,
  status: MailStatus,
  attempts: z.int(),
  lastError: z.string().nullable(),
  /** Whether it can be sent again: an invite or a reset whose customer is still there. */
  canResend: z.boolean(),
  createdAt,
  finishedAt: StoredTimestamp.nullable()
})
export type Mail = z.output<typeof Mail>

export const MailPage = pageOf(Mail)

const WORDED = ['portal_invite', 'team_invite', 'password_reset', 'password_forgotten', 'low_credit'] as const

/** Mails to customers' people, which a partner can put into its own words. */
export const WordedMail = z.enum(WORDED)
export type WordedMail = z.output<typeof WordedMail>

/** What a mail fills in. */
export const placeholdersOf = (template: WordedMail): string[] =>
  template === 'low_credit'
    ? ['{name}', '{company}', '{brand}', '{balance}', '{threshold}']
    : ['{name}', '{company}', '{brand}', '{time}']

const Paragraphs = requiredText(2_000).refine(
  (value) => !/[^\P{Cc}\n\t]/u.test(value),
  'has control characters'
)

/** What is null or empty is in our words. */
export const MAIL_WORDS = nullable({
  subject: said(optionalName(150), 'Of the mail.', undefined, { label: 'Subject' }),
  intro: said(Paragraphs, 'Above the link.', undefined, { label: 'Opening', help: 'With the greeting.' }),
  outro: said(Paragraphs, 'Below the link.', undefined, { label: 'Closing', help: 'Below the link.' })
})

const Which = { template: WordedMail, language: Language }
export const MailText = z.object({ ...Which, ...stored(MAIL_WORDS) })
export type MailText = z.output<typeof MailText>
export const MailTextList = z.object({ data: z.array(MailText) })

export const SetMailText = z.strictObject({ ...Which, ...MAIL_WORDS }).superRefine((given, ctx) => {
  const known = placeholdersOf(given.template)
  for (const field of ['subject', 'intro', 'outro'] as const) {
    // A brace by itself is a placeholder that went wrong.
    const braced = given[field]?.match(/\{[^{}]*\}?|\}/g) ?? []
    const other = braced.find((one) => !known.includes(one))?.slice(0, 50)
    const message = `can’t have ${other}: this mail fills in ${known.join(', ')}`
    if (other !== undefined) ctx.addIssue({ code: 'custom', path: [field], message })
  }
})
