import { z } from 'zod'
import { lowCredit, passwordForgotten, passwordReset, portalInvite, teamInvite } from './customer-letters.ts'
import type { LetterParams } from './letter-parts.ts'
import { agentNotice, consolePassword, lowCreditPartner } from './partner-letters.ts'

/** Mails with a link that lets somebody in: what people call each, and what it says. */
export const LETTERS = {
  portal_invite: { label: 'Portal invite', page: portalInvite },
  password_reset: { label: 'Password reset', page: passwordReset },
  password_forgotten: { label: 'Forgotten password', page: passwordForgotten },
  team_invite: { label: 'Team invite', page: teamInvite },
  console_password: { label: 'Console password', page: consolePassword }
}

/** These only tell something, and carry no secret. */
export const NOTICES = {
  low_credit: { label: 'Low-credit notice', page: lowCredit },
  low_credit_partner: { label: 'Low-credit notice to you', page: lowCreditPartner },
  agent_unreachable: { label: 'Agent doesn’t answer', page: agentNotice },
  agent_answers: { label: 'Agent answers again', page: agentNotice }
}

export type LetterTemplate = keyof typeof LETTERS
export type NoticeTemplate = keyof typeof NOTICES

export type MailSecret = z.output<typeof MailSecret>
/** What a mail carries that must not lie in the database in the clear, nor longer than needed. */
export const MailSecret = z.object({ linkToken: z.string(), temporaryPassword: z.string().exactOptional() })

/** What is asked to be sent. */
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
  params: Omit<LetterParams, 'teamMemberId' | 'role'> &
    ({ balance: string; threshold: string } | { serverName: string; instanceId: string; since: string })
}
