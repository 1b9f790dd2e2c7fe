// Mails with a link that lets somebody in.
import type { Page } from './layout.ts'
import { greeting, type LetterContent, pageLink, spokenInstant } from './wording.ts'

/** Opens the portal to a customer's owner (§4A portal-access): credentials and the link that accepts them. */
export function portalInvite(content: LetterContent): Page {
  const { branding, recipientName, companyName, recipient, temporaryPassword, validUntil } = content
  const holder = companyName === undefined ? 'you' : companyName
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
export function teamInvite(content: LetterContent): Page {
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
export const passwordReset = (content: LetterContent): Page =>
  resetPage(
    content,
    `You get this mail because somebody at ${content.branding.name} asked for it on your behalf. If you didn’t want it, ignore it: your password stays as it is.`
  )

/** The same, asked for on the sign-in page. */
export const passwordForgotten = (content: LetterContent): Page =>
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

/** A link to set a new password for the console, which somebody asked for on its sign-in page. */
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
