// Single-use links in mails: the token travels in the mail, only its hash stays here.
import { DAY_MS, fromNow, MINUTE_MS, now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import { changeWhere, deleteWhere } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { randomToken, tokenHash } from '../keys/token.ts'
import type { Letter, LetterTemplate } from '../mail/templates/letters.ts'

export type Purpose = Tables['accessLink']['purpose']

/** Of an invite, and of the temporary password that comes with it. */
export const INVITE_MS = 7 * DAY_MS
const RESET_MS = 60 * MINUTE_MS

const RESETS: ReadonlySet<Purpose> = new Set<Purpose>(['password_reset', 'console_reset'])

const NOBODY = { customerId: null, teamMemberId: null, partnerUserId: null }

type LinkTarget = Partial<Record<keyof typeof NOBODY, string>>

/** Makes a link and ends the earlier unused ones of the same purpose and target. Returns its token, this once. */
export async function mintLink(tx: WriteHandle, partnerId: string, purpose: Purpose, target: LinkTarget) {
  await endLinks(tx, partnerId, target, purpose)
  const token = randomToken()
  await tx
    .insertInto('accessLink')
    .values({
      id: newId('lnk'),
      partnerId,
      purpose,
      tokenHash: tokenHash(token),
      ...NOBODY,
      ...target,
      expiresAt: fromNow(RESETS.has(purpose) ? RESET_MS : INVITE_MS),
      createdAt: now()
    })
    .execute()
  return token
}

export interface MailContext {
  mail(tx: WriteHandle, letter: Letter): Promise<void>
}

/** Of the link in a mail. The operator hands the console's first owner one, too. */
const PURPOSE_OF: Record<LetterTemplate, Purpose> = {
  portal_invite: 'portal_invite',
  team_invite: 'team_invite',
  password_reset: 'password_reset',
  password_forgotten: 'password_reset',
  console_invite: 'console_password',
  console_password: 'console_reset'
}

/** Writes a mail with a new link in it; earlier ones of the same purpose and target end. */
export async function mailLink(
  ctx: MailContext,
  tx: WriteHandle,
  partnerId: string,
  target: LinkTarget,
  letter: Pick<Letter, 'template' | 'recipient' | 'params'>,
  temporary: { temporaryPassword?: string } = {}
): Promise<void> {
  const linkToken = await mintLink(tx, partnerId, PURPOSE_OF[letter.template], target)
  const { customerId = null } = target
  await ctx.mail(tx, { partnerId, customerId, ...letter, secret: { linkToken, ...temporary } })
}

/** Ends the unused links of a target, of one purpose or of all. */
export async function endLinks(tx: WriteHandle, partnerId: string, target: LinkTarget, purpose?: Purpose) {
  const unused = { partnerId, usedAt: null, ...NOBODY, ...target, ...(purpose && { purpose }) }
  await deleteWhere(tx, 'accessLink', unused).execute()
}

/** Uses the link up: of two that come at once, one does. @throws ServiceError `link_ended` */
export async function consumeLink(tx: WriteHandle, id: string): Promise<void> {
  const usedAt = now()
  const { numUpdatedRows } = await changeWhere(tx, 'accessLink', { id, usedAt: null })
    .set({ usedAt })
    .where('expiresAt', '>', usedAt)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw linkEnded()
}

export const linkEnded = (): ServiceError => new ServiceError('link_ended')

declare module '../database/tables.ts' {
  interface Tables {
    /** A single-use link in a mail; only its hash is kept. */
    accessLink: Owned & {
      purpose: 'portal_invite' | 'team_invite' | 'password_reset' | 'console_password' | 'console_reset'
      tokenHash: string
      customerId: string | null
      teamMemberId: string | null
      partnerUserId: string | null
      expiresAt: string
      usedAt: string | null
      createdAt: string
    }
  }
}
