import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { tokenHash } from '../keys/token.ts'
import type { BrandedPartner } from '../partners/portal-site.ts'
import type { LetterTemplate, NoticeTemplate } from './letter.ts'
import { LetterParams } from './templates/letters.ts'

export const readParams = (json: string) => LetterParams.parse(JSON.parse(json))

export type MailPartner = Pick<BrandedPartner, 'slug' | 'name' | 'isActive' | 'brand' | 'portalOrigin'>

/** Until when the link of that token lets in; undefined once it was used, replaced or taken back. */
export async function linkValidUntil(db: ReadHandle, partnerId: string, linkToken: string) {
  const link = await db
    .selectFrom('accessLink')
    .where('partnerId', '=', partnerId)
    .where('tokenHash', '=', tokenHash(linkToken))
    .where('usedAt', 'is', null)
    .select('expiresAt')
    .executeTakeFirst()
  return link?.expiresAt
}

/** What a mail leaves that is over, however it went: its secret goes. */
export const finished = <Status extends 'sent' | 'failed' | 'dropped'>(status: Status) => ({
  status,
  sealedSecret: null,
  leaseOwner: null,
  leaseExpiresAt: null,
  finishedAt: now()
})

/** The mail is out. Written even if another process has the lease by now: it must not be sent again. */
export async function markSent(tx: WriteHandle, mailId: string): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ ...finished('sent'), lastError: null })
    .where('id', '=', mailId)
    .where('status', '=', 'queued')
    .execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    mail: {
      id: string
      partnerId: string
      customerId: string | null
      template: LetterTemplate | NoticeTemplate
      recipient: string
      messageId: string
      /** JSON object: ids and names that the template shows; nothing secret. */
      params: string
      /** Temporary password and link token, sealed; null once sent, dropped or given up, and for a notice. */
      sealedSecret: string | null
      /** `dropped`: nobody needed it any more, since its link had ended or its customer was erased. */
      status: 'queued' | 'sent' | 'failed' | 'dropped'
      attempts: number
      nextAttemptAt: string
      leaseOwner: string | null
      leaseExpiresAt: string | null
      lastError: string | null
      createdAt: string
      finishedAt: string | null
    }
  }
}
