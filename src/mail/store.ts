import { sql } from 'kysely'
import type { z } from 'zod'
import type { ListMails, MailText } from '../../schemas/mail.ts'
import { DAY_MS, fromNow, now } from '../clock.ts'
import { isLookedFor } from '../customers/search.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, rowsWhere } from '../database/known.ts'
import { countOf, pageInOrder } from '../database/page.ts'
import { countedBy } from '../database/row-count.ts'
import type { Tables } from '../database/tables.ts'
import { tokenHash } from '../keys/token.ts'
import type { BrandedPartner } from '../partners/portal-site.ts'
import { LetterParams } from './templates/letter-parts.ts'
import type { LetterTemplate, NoticeTemplate } from './templates/letters.ts'

export const readParams = (json: string) => LetterParams.parse(JSON.parse(json))

export type MailPartner = Pick<BrandedPartner, 'slug' | 'name' | 'isActive' | 'brand' | 'portalOrigin'>

/** Until when the link of that token lets in; undefined once it was used, replaced or taken back. */
export async function linkValidUntil(db: ReadHandle, partnerId: string, linkToken: string) {
  const link = await rowsWhere(db, 'accessLink', { partnerId, tokenHash: tokenHash(linkToken), usedAt: null })
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
  await changeWhere(tx, 'mail', { id: mailId, status: 'queued' })
    .set({ ...finished('sent'), lastError: null })
    .execute()
}

const LISTED = [
  'id',
  'partnerId',
  'customerId',
  'template',
  'recipient',
  'status',
  'attempts',
  'lastError',
  'createdAt',
  'finishedAt'
] as const

type Status = Tables['mail']['status']

/** One page of mails, as they are looked for, of one partner or, for the operator, of all. */
export const listMails = (
  db: ReadHandle,
  partnerId: string | undefined,
  { status, search, page = 1, limit = 100, ...looking }: Partial<z.output<typeof ListMails>> = {}
) => {
  const all = mailsOf(db, undefined, status)
  const mails = partnerId
    ? all.where(isLookedFor(db, partnerId, search, 'mail', [BY_RECIPIENT.recipient]))
    : all
  const counted = partnerId && !search ? countedBy(db, partnerId, 'mail', { status }) : undefined
  const order = { db, texts: BY_RECIPIENT, counted, isFew: Boolean(search) }
  return pageInOrder({ page, limit, ...looking }, mails.select(LISTED), mails, order)
}

/** As the index is made (`024-orders.ts`). */
const BY_RECIPIENT = { recipient: 'lower("recipient")' }

const mailsOf = (db: ReadHandle, partnerId: string | undefined, status?: Status) =>
  db
    .selectFrom('mail')
    .$if(partnerId !== undefined, (query) => query.where('partnerId', '=', partnerId ?? ''))
    // Written out: SQLite takes the partial index only where it reads the same condition.
    .$if(status !== undefined, (query) => query.where('status', '=', sql.lit(status ?? 'queued')))

/** The longest that a link lives: an older failure can't be mended by sending anything again. */
const RECENT_MS = 7 * DAY_MS

/** How many mails were given up in the last 7 days, of one partner or, for the operator, of all. */
export async function countGivenUp(db: ReadHandle, partnerId?: string): Promise<number> {
  const givenUp = mailsOf(db, partnerId, 'failed').where('finishedAt', '>=', fromNow(-RECENT_MS))
  return countOf(givenUp)
}

export async function findMail(db: ReadHandle, partnerId: string, mailId: string) {
  const mail = await mailsOf(db, partnerId)
    .where('id', '=', mailId)
    .select(['id', 'template', 'customerId', 'status', 'params'])
    .executeTakeFirst()
  return mail && { ...mail, params: readParams(mail.params) }
}

/** Mails in the partner's own words: those, or all. */
export const listMailTexts = (
  db: ReadHandle,
  partnerId: string,
  which: Partial<Pick<MailText, 'template' | 'language'>> = {}
) =>
  rowsWhere(db, 'mailText', { partnerId, ...which })
    .select(['template', 'language', 'subject', 'intro', 'outro'])
    .orderBy('template')
    .orderBy('language')
    .execute()

const KEY = ['partnerId', 'template', 'language'] as const

export async function setMailText(tx: WriteHandle, partnerId: string, text: MailText): Promise<void> {
  const row = { partnerId, ...text, updatedAt: now() }
  const { subject, intro, outro, updatedAt: _, ...key } = row
  const remove = tx.deleteFrom('mailText').where((eb) => eb.and(key))
  const keep = tx.insertInto('mailText').values(row)
  if (!(subject || intro || outro)) await remove.execute()
  else await keep.onConflict((it) => it.columns(KEY).doUpdateSet(row)).execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    mailText: MailText & { partnerId: string; updatedAt: string }
    mail: Owned & {
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
