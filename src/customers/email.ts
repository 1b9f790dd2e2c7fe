/** What an e-mail address is compared by: without case, in one Unicode form. The spelling is kept beside it. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()
