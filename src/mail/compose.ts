// A mail as the transports take it: headers, text part, HTML part.
import type { SendMailOptions } from 'nodemailer'
import type { MailSecret } from './outbox.ts'
import { senderAddress } from './sender.ts'
import type { LetterParams, MailPartner } from './sources.ts'
import type { ClaimedMail } from './store.ts'
import { type Branding, brandingOf } from './templates/branding.ts'
import { layOutHtml, layOutText, type Page } from './templates/layout.ts'
import { passwordReset } from './templates/password-reset.ts'
import { portalInvite } from './templates/portal-invite.ts'
import { teamInvite } from './templates/team-invite.ts'

export interface Composed {
  message: SendMailOptions
  messageId: string
  /** Whether no attempt came before this one, as far as it is known. */
  isFirstAttempt: boolean
}

/** Everything that a template may show. */
export interface LetterContent extends LetterParams {
  branding: Branding
  recipient: string
  temporaryPassword: string | undefined
  /** Where `accept` and `reset` are, such as `https://example.com/portal/acme`. */
  linkBase: string
  linkToken: string
  /** When the link ends, ISO 8601. */
  validUntil: string
}

const templates: Record<ClaimedMail['template'], (content: LetterContent) => Page> = {
  portal_invite: portalInvite,
  password_reset: passwordReset,
  team_invite: teamInvite
}

interface Surroundings {
  partner: MailPartner
  validUntil: string
  mailFrom: string
  linkBase: string
}

/** Composes the mail under the partner's brand; the same Message-ID and Date on each attempt. */
export function compose(
  mail: ClaimedMail,
  params: LetterParams,
  { linkToken, temporaryPassword }: MailSecret,
  { partner, validUntil, mailFrom, linkBase }: Surroundings
): Composed {
  const branding = brandingOf(partner)
  const { recipient, template, messageId, createdAt, attempts } = mail
  const page = templates[template]({
    ...params,
    branding,
    recipient,
    temporaryPassword,
    linkBase,
    linkToken,
    validUntil
  })
  const address = senderAddress(mailFrom)
  return {
    messageId,
    isFirstAttempt: attempts === 1,
    message: {
      messageId,
      date: new Date(createdAt),
      from: { name: branding.name, address },
      to: { name: '', address: recipient },
      replyTo: branding.supportEmail && { name: branding.name, address: branding.supportEmail },
      envelope: { from: address, to: [recipient] },
      // RFC 3834; the second one is what Exchange reads: no out-of-office answers.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      subject: page.subject,
      text: layOutText(page, branding),
      html: layOutHtml(page, branding)
    }
  }
}
