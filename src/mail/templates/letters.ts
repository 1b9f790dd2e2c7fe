import { z } from 'zod'
import type { Branding } from './branding.ts'
import type { Page } from './layout.ts'

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
  hasPortal: z.boolean().optional(),
  instanceId: z.string().optional(),
  serverName: z.string().optional(),
  since: z.string().optional(),
  why: z.string().optional(),
  others: z.int().optional()
})
export type LetterParams = z.infer<typeof LetterParams>

export interface NoticeContent extends LetterParams {
  branding: Branding
  recipient: string
  /** The partner's portal, such as `https://example.com/portal/acme`. */
  linkBase: string
  consoleUrl: string
}

/** Everything that a mail with a link may show; `accept` and `reset` are below `linkBase`. */
export interface LetterContent extends NoticeContent {
  temporaryPassword: string | undefined
  linkToken: string
  validUntil: string
}

/** Opens the portal to a customer's owner (§4A portal-access): credentials and the link that accepts them. */
function portalInvite(content: LetterContent): Page {
  const { branding, recipientName, companyName, recipient, temporaryPassword, validUntil } = content
  const holder = companyName ?? 'you'
  return {
    subject: `Your access to the ${branding.name} portal`,
    preview: `${branding.name} has opened its customer portal for ${holder}.`,
    heading: 'Your portal access is ready',
    intro: [
      greeting(recipientName),
      `${branding.name} has opened its customer portal for ${holder}. Open the link, sign in with the temporary password below, and choose a password of your own.`
    ],
    details: [
      { label: 'E-mail', value: recipient },
      ...(temporaryPassword === undefined ? [] : [{ label: 'Temporary password', value: temporaryPassword }])
    ],
    action: { label: 'Accept the invite', url: pageLink(content, 'accept') },
    outro: [
      `The link works once. It and the temporary password are valid until ${spokenInstant(validUntil)}.`
    ],
    reason: `You get this mail because ${branding.name} manages a customer account under ${recipient}. If you don’t know why, ignore it, and nobody will be signed in.`
  }
}

/** Asks somebody into a customer's team (§4A team-members). */
function teamInvite(content: LetterContent): Page {
  const { branding, recipientName, companyName, role, recipient, validUntil } = content
  const team = companyName === undefined ? 'a team' : `the team of ${companyName}`
  return {
    subject: `You’re invited to ${team} on ${branding.name}`,
    preview: `Accept the invite to work with ${team} in the ${branding.name} portal.`,
    heading: companyName === undefined ? 'Join the team' : `Join ${companyName}`,
    intro: [
      greeting(recipientName),
      `You’re invited to ${team} in the ${branding.name} portal. Open the link to accept: choose a password, or sign in if you already have one there.`
    ],
    details: [
      { label: 'E-mail', value: recipient },
      ...(role === undefined ? [] : [{ label: 'Role', value: role }])
    ],
    action: { label: 'Accept the invite', url: pageLink(content, 'accept') },
    outro: [`The link works once and is valid until ${spokenInstant(validUntil)}.`],
    reason: `You get this mail because ${companyName ?? 'a customer'} works with ${branding.name} and added ${recipient} to its team. If you don’t know why, ignore it: without you, nothing happens.`
  }
}

/** A link to set a new portal password, which the partner asked for (§4A reset-password). */
const passwordReset = (content: LetterContent): Page =>
  resetPage(
    content,
    `You get this mail because somebody at ${content.branding.name} asked for it on your behalf. If you didn’t want it, ignore it: your password stays as it is.`
  )

const passwordForgotten = (content: LetterContent): Page =>
  resetPage(
    content,
    `You get this mail because somebody entered your address where the ${content.branding.name} portal asks for forgotten passwords. If it wasn’t you, ignore it: your password stays as it is.`
  )

function resetPage(content: LetterContent, reason: string): Page {
  const { branding, recipientName, recipient, validUntil } = content
  return {
    subject: `Set a new password for the ${branding.name} portal`,
    preview: 'The link is valid for 60 minutes.',
    heading: 'Set a new password',
    intro: [
      greeting(recipientName),
      `A password reset was asked for your account at the ${branding.name} portal, ${recipient}. Open the link to choose a new password.`
    ],
    details: [],
    action: { label: 'Set a new password', url: pageLink(content, 'reset') },
    outro: [`The link works once. It is valid for 60 minutes, until ${spokenInstant(validUntil)}.`],
    reason
  }
}

function consolePassword({ consoleUrl, linkToken, recipient, validUntil }: LetterContent): Page {
  return {
    subject: 'Set a new password for the Mindgate console',
    preview: 'The link is valid for 60 minutes.',
    heading: 'Set a new password',
    intro: [
      greeting(undefined),
      `A new password was asked for the Mindgate console, for ${recipient}. Open the link to choose one.`
    ],
    details: [],
    action: {
      label: 'Set a new password',
      url: `${consoleUrl}/set-password?token=${encodeURIComponent(linkToken)}`
    },
    outro: [`The link works once. It is valid for 60 minutes, until ${spokenInstant(validUntil)}.`],
    reason:
      'You get this mail because somebody entered your address where the console asks for forgotten passwords. If it wasn’t you, ignore it: your password stays as it is.'
  }
}

function lowCredit(content: NoticeContent): Page {
  const { branding, recipientName, companyName, balance = '0', threshold = '0' } = content
  const holder = companyName ?? 'your account'
  return {
    subject: `Your AI credits at ${branding.name} are running low`,
    preview: `${balance} left, which is below ${threshold}.`,
    heading: 'Your AI credits are running low',
    intro: [
      greeting(recipientName),
      `The AI credits of ${holder} have fallen below ${threshold}. When they are used up, assistants can still read what they know of you, but no longer remember or look up more.`
    ],
    details: amounts(balance, threshold),
    action: content.hasPortal ? { label: 'Open the portal', url: content.linkBase } : undefined,
    outro: [`Ask ${branding.name} for more credits. This mail comes once, until the credits were topped up.`],
    reason: `You get this mail because ${branding.name} switched on notices about low credits for ${content.recipient}. If you don’t want them, ask ${branding.name} to switch them off.`
  }
}

function lowCreditPartner(content: NoticeContent): Page {
  const { branding, customerName = 'A customer', customerCode, balance = '0', threshold = '0' } = content
  const customer = customerCode === undefined ? customerName : `${customerName} (${customerCode})`
  return {
    subject: `${customerName} is running low on AI credits`,
    preview: `${balance} left, which is below ${threshold}.`,
    heading: `${customerName} is running low on AI credits`,
    intro: [
      greeting(undefined),
      `The AI credits of ${customerName} have fallen below ${threshold}, the threshold that is set for this customer. When they are used up, its assistants are refused with “insufficient_credits”; reading a memory stays free.`
    ],
    details: [{ label: 'Customer', value: customer }, ...amounts(balance, threshold)],
    action: { label: 'Open the console', url: content.consoleUrl },
    outro: [
      'Grant the customer more credits there or by the API. This mail comes once, until a grant lifts the balance.'
    ],
    reason: `You get this mail because you manage ${branding.name}, where notices about low credits are on for this customer. Its setting lowCreditNotificationsEnabled switches them off.`
  }
}

/** An agent that doesn't answer, or answers again: then nothing is said of why. */
function agentNotice(content: NoticeContent): Page {
  const { branding, serverName = 'a server', instanceId = '', since, why, others = 0 } = content
  const heading = `The agent on ${serverName} ${why === undefined ? 'answers again' : 'doesn’t answer'}`
  const what =
    why === undefined
      ? 'We got through to it, and it can be chatted with as before.'
      : 'We signed in to its server twice in vain. Until it answers, nobody can chat with it.'
  const alike = `The same goes for ${others} more of your agents; the list of servers says for which.`
  return {
    subject: heading,
    preview: why ?? what,
    heading,
    intro: [greeting(undefined), what, ...(others === 0 ? [] : [alike])],
    details: [
      { label: 'Server', value: serverName },
      { label: 'Customer', value: content.customerName ?? 'A customer' },
      ...(since === undefined ? [] : [{ label: 'Since', value: spokenInstant(since) }]),
      ...(why === undefined ? [] : [{ label: 'Why', value: why }])
    ],
    action: { label: 'Open the server', url: `${content.consoleUrl}/instances/${instanceId}` },
    outro: ['You get one such mail when an agent stops answering, and one when it answers again.'],
    reason: `You get this mail because you manage ${branding.name}, and its agent runs on that server. To end it, remove the server in the console.`
  }
}

const amounts = (balance: string, threshold: string) => [
  { label: 'Credits left', value: balance },
  { label: 'Notice below', value: threshold }
]

const greeting = (recipientName: string | undefined): string =>
  recipientName === undefined ? 'Hello,' : `Hello ${recipientName},`

const instantFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC'
})

/** `28 November 2026 at 06:43 UTC`: the reader's time zone isn't known. */
const spokenInstant = (iso: string): string => `${instantFormat.format(new Date(iso))} UTC`

const pageLink = ({ linkBase, linkToken }: LetterContent, page: 'accept' | 'reset'): string =>
  `${linkBase}/${page}?token=${encodeURIComponent(linkToken)}`

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
