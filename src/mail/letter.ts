// What is asked to be sent.
import { z } from 'zod'

/** With a link that lets somebody in. */
export type LetterTemplate =
  | 'portal_invite'
  | 'password_reset'
  | 'password_forgotten'
  | 'team_invite'
  | 'console_password'

/** These only tell something, and carry no secret. */
export type NoticeTemplate = 'low_credit' | 'low_credit_partner'

/** What a mail carries that must not lie in the database in the clear, nor longer than needed. */
export interface MailSecret {
  linkToken: string
  temporaryPassword?: string
}

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
  hasPortal: z.boolean().optional()
})
export type LetterParams = z.infer<typeof LetterParams>

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
