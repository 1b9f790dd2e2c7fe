import type { LetterContent } from '../compose.ts'
import type { Page } from './layout.ts'
import { greeting, pageLink, spokenInstant } from './wording.ts'

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
