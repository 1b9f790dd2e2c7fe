import { z } from 'zod'
import { MailText } from '../../../schemas/mail.ts'
import { dateFormat, language, localeOf, say } from '../../language/say.ts'
import type { Branding } from './branding.ts'

/** What templates show beside the brand; nothing secret. */
export const LetterParams = z.object({
  recipientName: z.string().optional(),
  companyName: z.string().optional(),
  teamMemberId: z.string().optional(),
  role: z.string().optional(),
  customerName: z.string().optional(),
  customerCode: z.string().optional(),
  balance: z.string().optional(),
  threshold: z.string().optional(),
  hasPortal: z.boolean().optional(),
  instanceId: z.string().optional(),
  serverName: z.string().optional(),
  since: z.string().optional(),
  why: z.string().optional(),
  others: z.int().optional(),
  /** Of which mail it is a test, and its words. */
  test: MailText.optional()
})
export type LetterParams = z.infer<typeof LetterParams>

export interface NoticeContent extends LetterParams {
  branding: Branding
  recipient: string
  /** The partner's portal, such as `https://example.com/portal/acme`. */
  linkBase: string
  consoleUrl: string
}

/** Everything that a mail with a link may show; `accept` and `reset` are below `linkBase`. */
export interface LetterContent extends NoticeContent {
  temporaryPassword: string | undefined
  linkToken: string
  validUntil: string
}

export const amounts = (balance: string, threshold: string) => [
  { label: say('Credits left'), value: amountText(balance) },
  { label: say('Notice below'), value: amountText(threshold) }
]

/** `1,234.5`, in the reader's language. In mails from before it was kept like this. */
export const amountText = (amount: string): string =>
  new Intl.NumberFormat(localeOf(language()), { maximumFractionDigits: 6 }).format(
    Number(amount.replaceAll(',', ''))
  )

export const greeting = (recipientName: string | undefined): string =>
  recipientName === undefined ? say('Hello,') : say('Hello {name},', { name: recipientName })

const instantFormat = dateFormat({ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `28 November 2026 at 06:43 UTC`: the reader's time zone isn't known. */
export const spokenInstant = (iso: string): string => `${instantFormat(iso)} UTC`
