import type { LetterContent } from '../compose.ts'
import type { Page } from './layout.ts'
import { greeting, spokenInstant } from './wording.ts'

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
