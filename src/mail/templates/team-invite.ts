import type { LetterContent } from '../compose.ts'
import type { Page } from './layout.ts'
import { greeting, pageLink, spokenInstant } from './wording.ts'

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
