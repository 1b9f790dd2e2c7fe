// Mails to a customer's people, in their language.
import { say } from '../../language/say.ts'
import type { Page } from './layout.ts'
import {
  amounts,
  amountText,
  greeting,
  type LetterContent,
  type NoticeContent,
  spokenInstant
} from './letter-parts.ts'

/** Opens the portal to a customer's owner (§4A portal-access): credentials and the link that accepts them. */
export function portalInvite(content: LetterContent): Page {
  const { recipientName, recipient, temporaryPassword: password } = content
  const names = namesIn(content)
  const time = spokenInstant(content.validUntil)
  return {
    subject: say('Your access to the {brand} portal', names),
    preview: say(
      '{named, select, yes {{brand} has opened its customer portal for {company}.} other {{brand} has opened its customer portal for you.}}',
      names
    ),
    heading: say('Your portal access is ready'),
    intro: [
      greeting(recipientName),
      say(
        '{named, select, yes {{brand} has opened its customer portal for {company}.} other {{brand} has opened its customer portal for you.}} Open the link and choose a password of your own. Or sign in with the temporary password below, which works once.',
        names
      )
    ],
    details: [
      { label: say('E-mail'), value: recipient },
      ...(password === undefined ? [] : [{ label: say('Temporary password'), value: password }])
    ],
    action: { label: say('Accept the invite'), url: pageLink(content, 'accept') },
    outro: [say('The link works once. It and the temporary password are valid until {time}.', { time })],
    reason: say(
      'You get this mail because {brand} manages a customer account under {recipient}. If you don’t know why, ignore it, and nobody will be signed in.',
      names
    )
  }
}

/** Asks somebody into a customer's team (§4A team-members). */
export function teamInvite(content: LetterContent): Page {
  const { recipientName, role, recipient, validUntil } = content
  const names = namesIn(content)
  return {
    subject: say(
      '{named, select, yes {You’re invited to the team of {company} on {brand}} other {You’re invited to a team on {brand}}}',
      names
    ),
    preview: say(
      '{named, select, yes {Accept the invite to work with the team of {company} in the {brand} portal.} other {Accept the invite to work with a team in the {brand} portal.}}',
      names
    ),
    heading: say('{named, select, yes {Join {company}} other {Join the team}}', names),
    intro: [
      greeting(recipientName),
      say(
        '{named, select, yes {You’re invited to the team of {company} in the {brand} portal.} other {You’re invited to a team in the {brand} portal.}} Open the link to accept: choose a password, or sign in if you already have one there.',
        names
      )
    ],
    details: [
      { label: say('E-mail'), value: recipient },
      ...(role === undefined ? [] : [{ label: say('Role'), value: roleText(role) }])
    ],
    action: { label: say('Accept the invite'), url: pageLink(content, 'accept') },
    outro: [say('The link works once and is valid until {time}.', { time: spokenInstant(validUntil) })],
    reason: say(
      '{named, select, yes {You get this mail because {company} works with {brand} and added {recipient} to its team.} other {You get this mail because a customer works with {brand} and added {recipient} to its team.}} If you don’t know why, ignore it: without you, nothing happens.',
      names
    )
  }
}

/** Other labels than these are the customer's own words. */
function roleText(role: string): string {
  if (role === 'admin') return say('admin')
  return role === 'member' ? say('member') : role
}

/** Why one gets a link to set a new portal password; the partner's asking is §4A reset-password. */
const RESET_REASONS = {
  askedByPartner:
    'You get this mail because somebody at {brand} asked for it on your behalf. If you didn’t want it, ignore it: your password stays as it is.',
  forgotten:
    'You get this mail because somebody entered your address where the {brand} portal asks for forgotten passwords. If it wasn’t you, ignore it: your password stays as it is.'
} as const

function resetPage(content: LetterContent, reason: keyof typeof RESET_REASONS): Page {
  const names = namesIn(content)
  const time = spokenInstant(content.validUntil)
  return {
    subject: say('Set a new password for the {brand} portal', names),
    preview: say('The link is valid for 60 minutes.'),
    heading: say('Set a new password'),
    intro: [
      greeting(content.recipientName),
      say(
        'A password reset was asked for your account at the {brand} portal, {recipient}. Open the link to choose a new password.',
        names
      )
    ],
    details: [],
    action: { label: say('Set a new password'), url: pageLink(content, 'reset') },
    outro: [say('The link works once. It is valid for 60 minutes, until {time}.', { time })],
    reason: say(RESET_REASONS[reason], names)
  }
}

export const passwordReset = (content: LetterContent): Page => resetPage(content, 'askedByPartner')
export const passwordForgotten = (content: LetterContent): Page => resetPage(content, 'forgotten')

/** What texts have in braces. */
const namesIn = ({ branding, companyName, recipient }: NoticeContent) => ({
  brand: branding.name,
  recipient,
  company: companyName ?? '',
  named: companyName === undefined ? 'no' : 'yes'
})

export function lowCredit(content: NoticeContent): Page {
  const { balance = '0', threshold = '0', hasPortal, linkBase } = content
  const all = { ...namesIn(content), balance: amountText(balance), threshold: amountText(threshold) }
  return {
    subject: say('Your AI credits at {brand} are running low', all),
    preview: say('{balance} left, which is below {threshold}.', all),
    heading: say('Your AI credits are running low'),
    intro: [
      greeting(content.recipientName),
      say(
        '{named, select, yes {The AI credits of {company} have fallen below {threshold}.} other {The AI credits of your account have fallen below {threshold}.}} When they are used up, assistants can still read what they know of you, but no longer remember or look up more.',
        all
      )
    ],
    details: amounts(balance, threshold),
    action: hasPortal ? { label: say('Open the portal'), url: linkBase } : undefined,
    outro: [
      say('Ask {brand} for more credits. This mail comes once, until the credits were topped up.', all)
    ],
    reason: say(
      'You get this mail because {brand} switched on notices about low credits for {recipient}. If you don’t want them, ask {brand} to switch them off.',
      all
    )
  }
}

const pageLink = ({ linkBase, linkToken }: LetterContent, page: 'accept' | 'reset'): string =>
  `${linkBase}/${page}?token=${encodeURIComponent(linkToken)}`
