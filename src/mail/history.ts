import { DAY_MS, fromNow } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { readParams } from './store.ts'

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

/** Mails newest first, of one partner or, for the operator, of all. At most `limit`, 100 unless told otherwise. */
export const listMails = (
  db: ReadHandle,
  partnerId: string | undefined,
  { status, limit = 100, offset = 0 }: { status?: Status | undefined; limit?: number; offset?: number } = {}
) =>
  mailsOf(db, partnerId, status)
    .select(LISTED)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const countMails = (db: ReadHandle, partnerId: string, status: Status | undefined) =>
  countOf(mailsOf(db, partnerId, status))

async function countOf(mails: ReturnType<typeof mailsOf>): Promise<number> {
  const counted = mails.select((eb) => eb.fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}

const mailsOf = (db: ReadHandle, partnerId: string | undefined, status?: Status) =>
  db
    .selectFrom('mail')
    .$if(partnerId !== undefined, (query) => query.where('partnerId', '=', partnerId ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'queued'))

/** The longest that a link lives: an older failure can't be mended by sending anything again. */
const RECENT_MS = 7 * DAY_MS

/** How many mails were given up in the last 7 days, of one partner or, for the operator, of all. */
export const countGivenUp = (db: ReadHandle, partnerId?: string) =>
  countOf(mailsOf(db, partnerId, 'failed').where('finishedAt', '>=', fromNow(-RECENT_MS)))

export async function findMail(db: ReadHandle, partnerId: string, mailId: string) {
  const mail = await mailsOf(db, partnerId)
    .where('id', '=', mailId)
    .select(['id', 'template', 'customerId', 'status', 'params'])
    .executeTakeFirst()
  return mail && { ...mail, params: readParams(mail.params) }
}
