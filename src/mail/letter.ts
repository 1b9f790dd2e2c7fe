// What is asked to be sent.

/** Mails with a link that lets somebody in. */
export type LetterTemplate =
  | 'portal_invite'
  | 'password_reset'
  | 'password_forgotten'
  | 'team_invite'
  | 'console_password'

/** Mails that only tell something, and carry no secret. */
export type NoticeTemplate = 'low_credit' | 'low_credit_partner'

/** What a mail carries that must not lie in the database in the clear, nor longer than needed. */
export interface MailSecret {
  /** Token of the link in it. */
  linkToken: string
  temporaryPassword?: string
}

/** One mail to send that lets somebody in. */
export interface Letter {
  partnerId: string
  /** Whom it is about; `null` for the partner's own people. */
  customerId: string | null
  template: LetterTemplate
  recipient: string
  /** What the template shows beside the brand; nothing secret. */
  params: { recipientName?: string; companyName?: string; teamMemberId?: string; role?: string }
  secret: MailSecret
}

/** One mail to send that only tells something. */
export interface Notice extends Pick<Letter, 'partnerId' | 'recipient'> {
  customerId: string
  template: NoticeTemplate
  params: {
    recipientName?: string
    companyName?: string
    customerName?: string
    customerCode?: string
    balance: string
    threshold: string
    hasPortal?: boolean
  }
}
