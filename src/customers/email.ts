import { asciiDomain } from '../../schemas/primitives.ts'

/** What an e-mail address is compared by: without case, its domain as DNS has it. The spelling is kept beside it. */
export function emailKey(email: string): string {
  const domainAt = email.lastIndexOf('@') + 1
  const key = email.normalize('NFC').toLowerCase().normalize('NFC')
  const domain = domainAt > 0 ? asciiDomain(email.slice(domainAt)) : ''
  return domain ? key.slice(0, key.lastIndexOf('@') + 1) + domain : key
}
