import { z } from 'zod'
import { fromNow, HOUR_MS } from '../../clock.ts'
import { lowCredit, passwordForgotten, passwordReset, portalInvite, teamInvite } from './customer-letters.ts'
import type { Page } from './layout.ts'
import type { LetterParams, NoticeContent } from './letter-parts.ts'
import { reworded } from './own-words.ts'
import { agentNotice, consoleInvite, consolePassword, lowCreditPartner } from './partner-letters.ts'

/** Mails with a link that lets somebody in: what people call each, and what it says. */
export const LETTERS = {
  portal_invite: { label: 'Portal invite', page: portalInvite },
  password_reset: { label: 'Password reset', page: passwordReset },
  password_forgotten: { label: 'Forgotten password', page: passwordForgotten },
  team_invite: { label: 'Team invite', page: teamInvite },
  console_invite: { label: 'Console invite', page: consoleInvite },
  console_password: { label: 'Console password', page: consolePassword }
}

/** These only tell something, and carry no secret. */
export const NOTICES = {
  low_credit: { label: 'Low-credit notice', page: lowCredit },
  low_credit_partner: { label: 'Low-credit notice to you', page: lowCreditPartner },
  agent_unreachable: { label: 'Agent doesn’t answer', page: agentNotice },
  agent_answers: { label: 'Agent answers again', page: agentNotice },
  mail_test: { label: 'Test of a mail', page: testLetter }
}

const EXAMPLE = {
  ...{ recipientName: 'Ada', companyName: 'Lovelace & Sons', recipient: 'ada@example.com', role: 'member' },
  ...{ linkToken: '', temporaryPassword: 'abcd-efgh-jkmn-pqrs', hasPortal: true },
  ...{ balance: '12.5', threshold: '20' }
}

/** A mail as a customer might get it, for a partner's own people. Its link opens nothing but the sign-in. */
function testLetter({ test, ...place }: NoticeContent): Page {
  if (!test) throw new Error('The test says nothing of the mail that it is of')
  const content = { ...place, ...EXAMPLE, validUntil: fromNow(HOUR_MS) }
  const page = reworded({ ...LETTERS, ...NOTICES }[test.template].page(content), test, content)
  const action = page.action && { ...page.action, url: `${place.linkBase}/sign-in` }
  return { ...page, subject: `[Test] ${page.subject}`, action }
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

type Amounts = { balance: string; threshold: string }
type Agent = { serverName: string; instanceId: string; since: string }

export interface Notice extends Pick<Letter, 'partnerId' | 'recipient'> {
  customerId: string | null
  template: NoticeTemplate
  params: Omit<LetterParams, 'teamMemberId' | 'role'> &
    (Amounts | Agent | Pick<Required<LetterParams>, 'test'>)
}
