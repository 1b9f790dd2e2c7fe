// MAIL_FROM, taken apart: the partner's brand replaces the name, the address stays.
import { domainToASCII } from 'node:url'
import addressparser from 'nodemailer/lib/addressparser'

/** The address in `MAIL_FROM`, such as `no-reply@example.com`; empty if there is none. */
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
