import type { LetterContent } from '../compose.ts'
import type { Page } from './layout.ts'
import { greeting, pageLink, spokenInstant } from './wording.ts'

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
