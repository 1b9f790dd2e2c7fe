// MAIL_FROM, taken apart: the partner's brand replaces the name, the address stays.
import { domainToASCII } from 'node:url'
import addressparser from 'nodemailer/lib/addressparser'

/** The address in `MAIL_FROM`, such as `no-reply@example.com`; empty if there is none. */
export const senderAddress = (mailFrom: string): string =>
  addressparser(mailFrom, { flatten: true })[0]?.address ?? ''

/** The right side of our Message-IDs: the sender's host, else `mindgate`. */
export function messageIdHost(address: string): string {
  const host = domainToASCII(address.slice(address.lastIndexOf('@') + 1))
  return address.includes('@') && /^[a-z0-9.-]+$/.test(host) ? host : 'mindgate'
}
