// Mails to a partner's own people. They lead to the console, and speak English as it does.
import type { Page } from './layout.ts'
import {
  amounts,
  amountText,
  greeting,
  type LetterContent,
  type NoticeContent,
  spokenInstant
} from './letter-parts.ts'

export function consoleInvite(content: LetterContent): Page {
  const { consoleUrl, linkToken, recipientName, companyName = 'A partner', role, validUntil } = content
  return {
    subject: `Join ${companyName} at the Mindgate console`,
    preview: 'Choose a password, and you’re in.',
    heading: `Join ${companyName}`,
    intro: [
      greeting(recipientName),
      `You were invited to work at the Mindgate console for ${companyName}. Open the link and choose a password, and you’re in.`
    ],
    details: [
      { label: 'Sign in as', value: content.recipient },
      ...(role === undefined ? [] : [{ label: 'Your role', value: role }])
    ],
    action: {
      label: 'Accept the invite',
      url: `${consoleUrl}/set-password?token=${encodeURIComponent(linkToken)}`
    },
    outro: [`The link works once. It is valid for 7 days, until ${spokenInstant(validUntil)}.`],
    reason: `You get this mail because somebody of ${companyName} entered your address. If you don’t know them, ignore it: nothing is opened without the link.`
  }
}

export function consolePassword({ consoleUrl, linkToken, recipient, validUntil }: LetterContent): Page {
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

export function lowCreditPartner(content: NoticeContent): Page {
  const { branding, customerName = 'A customer', customerCode, balance = '0', threshold = '0' } = content
  const customer = customerCode === undefined ? customerName : `${customerName} (${customerCode})`
  const [left, least] = [amountText(balance), amountText(threshold)]
  return {
    subject: `${customerName} is running low on AI credits`,
    preview: `${left} left, which is below ${least}.`,
    heading: `${customerName} is running low on AI credits`,
    intro: [
      greeting(undefined),
      `The AI credits of ${customerName} have fallen below ${least}, the threshold that is set for this customer. When they are used up, its assistants are refused with “insufficient_credits”; reading a memory stays free.`
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
export function agentNotice(content: NoticeContent): Page {
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
