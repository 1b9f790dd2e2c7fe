// Small texts that several mails share.
import type { LetterParams } from '../store.ts'
import type { Branding } from './branding.ts'

/** Everything that a notice may show. */
export interface NoticeContent extends LetterParams {
  branding: Branding
  recipient: string
  /** The partner's portal, such as `https://example.com/portal/acme`. */
  linkBase: string
  /** Where the partner's own people work. */
  consoleUrl: string
}

/** Everything that a mail with a link may show; `accept` and `reset` are below `linkBase`. */
export interface LetterContent extends NoticeContent {
  temporaryPassword: string | undefined
  linkToken: string
  /** When the link ends, ISO 8601. */
  validUntil: string
}

export const greeting = (recipientName: string | undefined): string =>
  recipientName === undefined ? 'Hello,' : `Hello ${recipientName},`

const instantFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC'
})

/** `28 November 2026 at 06:43 UTC`: the reader's time zone isn't known. */
export const spokenInstant = (iso: string): string => `${instantFormat.format(new Date(iso))} UTC`

/** The address of a portal page that takes the letter's token. */
export const pageLink = ({ linkBase, linkToken }: LetterContent, page: 'accept' | 'reset'): string =>
  `${linkBase}/${page}?token=${encodeURIComponent(linkToken)}`
