// Single-use links in mails: the token travels in the mail, only its hash stays here.
import { DAY_MS, fromNow, MINUTE_MS, now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import type { AccessLinkTable } from '../database/tables.ts'
import { newId } from '../ids.ts'
import { mintLinkToken, tokenHash } from '../keys/token.ts'

type Purpose = AccessLinkTable['purpose']

const LIFETIME_MS: Record<Purpose, number> = {
  portal_invite: 7 * DAY_MS,
  team_invite: 7 * DAY_MS,
  password_reset: 60 * MINUTE_MS,
  console_password: 7 * DAY_MS
}

/** Whom a link lets in. */
export interface LinkTarget {
  customerId?: string
  teamMemberId?: string
  partnerUserId?: string
}

/** Makes a link and ends the earlier unused ones of the same purpose and target. Returns its token, this once. */
export async function mintLink(
  tx: WriteHandle,
  partnerId: string,
  purpose: Purpose,
  target: LinkTarget
): Promise<string> {
  await endLinks(tx, partnerId, target, purpose)
  const token = mintLinkToken()
  await tx
    .insertInto('accessLink')
    .values({
      id: newId('lnk'),
      partnerId,
      purpose,
      tokenHash: tokenHash(token),
      customerId: target.customerId ?? null,
      teamMemberId: target.teamMemberId ?? null,
      partnerUserId: target.partnerUserId ?? null,
      expiresAt: fromNow(LIFETIME_MS[purpose]),
      usedAt: null,
      createdAt: now()
    })
    .execute()
  return token
}

/** Ends the unused links of a target, of one purpose or of all. */
export async function endLinks(
  tx: WriteHandle,
  partnerId: string,
  target: LinkTarget,
  purpose?: Purpose
): Promise<void> {
  await tx
    .deleteFrom('accessLink')
    .where('partnerId', '=', partnerId)
    .where('usedAt', 'is', null)
    .where('customerId', target.customerId ? '=' : 'is', target.customerId ?? null)
    .where('teamMemberId', target.teamMemberId ? '=' : 'is', target.teamMemberId ?? null)
    .where('partnerUserId', target.partnerUserId ? '=' : 'is', target.partnerUserId ?? null)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose ?? 'portal_invite'))
    .execute()
}
