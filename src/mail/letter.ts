// What is asked to be sent; `templates/letters.ts` has what each mail says.
import type { LETTERS, LetterParams, NOTICES } from './templates/letters.ts'

export type LetterTemplate = keyof typeof LETTERS
export type NoticeTemplate = keyof typeof NOTICES

/** What a mail carries that must not lie in the database in the clear, nor longer than needed. */
export interface MailSecret {
  linkToken: string
  temporaryPassword?: string
}

export interface Letter {
  partnerId: string
  /** Whom it is about; `null` for the partner's own people. */
  customerId: string | null
  template: LetterTemplate
  recipient: string
  params: Pick<LetterParams, 'recipientName' | 'companyName' | 'teamMemberId' | 'role'>
  secret: MailSecret
}

export interface Notice extends Pick<Letter, 'partnerId' | 'recipient'> {
  customerId: string
  template: NoticeTemplate
  params: Omit<LetterParams, 'teamMemberId' | 'role'> & { balance: string; threshold: string }
}
