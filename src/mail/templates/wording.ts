// Small texts that several mails share.
import type { LetterContent } from '../compose.ts'

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
