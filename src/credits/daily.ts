// What an account spent on each day, for charts.
import { sql } from 'kysely'
import { DAY_MS, fromNow, MINUTE_MS } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import { fromMicros } from '../money.ts'
import { type AccountOwner, entriesOf, readAccount } from './store.ts'

/**
 * Credits spent on each of the last `days` days, today last; days are UTC's. What was held and given back was not
 * spent.
 */
export async function spentByDay(db: ReadHandle, owner: AccountOwner, days: number) {
  const dates = Array.from({ length: days }, (_, index) => dateOf(fromNow((index + 1 - days) * DAY_MS)))
  const [first = ''] = dates
  const after = await lastSeqBefore(db, owner, first)
  const moved = await entriesOf(db, owner)
    .where('seq', '>', after)
    .where('kind', 'in', ['charge', 'hold'])
    .where('createdAt', '>=', first)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          // By the unique key of account, reference and kind; what was held is given back as a whole.
          selectFrom('creditEntry as refund')
            .whereRef('refund.accountId', '=', 'creditEntry.accountId')
            .whereRef('refund.reference', '=', 'creditEntry.reference')
            .where('refund.kind', '=', 'refund')
            .select('refund.seq')
        )
      )
    )
    .select(sql<string>`substr("createdAt", 1, 10)`.as('date'))
    .select((eb) => eb.fn.sum<number>('amountMicros').as('amountMicros'))
    .groupBy('date')
    .execute()
  const spent = new Map(moved.map(({ date, amountMicros }) => [date, -amountMicros]))
  return dates.map((date) => ({ date, spent: fromMicros(spent.get(date) ?? 0) }))
}

/** Processes' clocks may differ, so an entry's time can be a little earlier than its predecessor's. */
const CLOCK_SLACK_MS = 10 * MINUTE_MS

/**
 * A number below which every entry is older than the date. Entries are numbered in the order of time and have no index
 * by it: halving the range finds the place in some twenty look-ups, however old the account is.
 */
async function lastSeqBefore(db: ReadHandle, owner: AccountOwner, date: string) {
  const limit = new Date(Date.parse(date) - CLOCK_SLACK_MS).toISOString()
  let older = 0
  let { entryCount: newer } = await readAccount(db, owner)
  while (older < newer) {
    const middle = Math.ceil((older + newer) / 2)
    if ((await timeOf(db, owner, middle)) < limit) older = middle
    else newer = middle - 1
  }
  return older
}

async function timeOf(db: ReadHandle, owner: AccountOwner, seq: number) {
  const entry = entriesOf(db, owner).where('seq', '=', seq).select('createdAt')
  return (await entry.executeTakeFirstOrThrow()).createdAt
}

const dateOf = (iso: string): string => iso.slice(0, 10)
