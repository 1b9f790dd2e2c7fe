// What an account spent on each day, for charts.
import { sql } from 'kysely'
import { DAY_MS, fromNow, MINUTE_MS } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import { fromMicros } from '../money.ts'
import { type AccountOwner, accountId, entriesOf, readAccount } from './store.ts'

/**
 * Credits spent on each of the last `days` days, today last; days are UTC's. What was held and given back was not
 * spent: a refund counts on the day of its hold.
 */
export async function spentByDay(db: ReadHandle, owner: AccountOwner, days: number) {
  const dates = Array.from({ length: days }, (_, index) => dateOf(fromNow((index + 1 - days) * DAY_MS)))
  const [first = ''] = dates
  const moved = await sumByDay(db, owner, first)
  const spent = new Map(moved.map(({ date, amountMicros }) => [date, -amountMicros]))
  return dates.map((date) => ({ date, spent: fromMicros(spent.get(date) ?? 0) }))
}

/** Charges and holds of each day, and what was given back of that day's holds. */
async function sumByDay(db: ReadHandle, owner: AccountOwner, first: string) {
  const after = await lastSeqBefore(db, owner, first)
  const taken = entriesOf(db, owner)
    .where('seq', '>', after)
    .where('kind', 'in', ['charge', 'hold'])
    .where('createdAt', '>=', first)
    .select([sql<string>`substr("createdAt", 1, 10)`.as('date'), 'amountMicros'])
  const givenBack = db
    .selectFrom('creditEntry as refund')
    // By the unique key of account, reference and kind.
    .innerJoin('creditEntry as hold', (join) =>
      join
        .onRef('hold.accountId', '=', 'refund.accountId')
        .onRef('hold.reference', '=', 'refund.reference')
        .on('hold.kind', '=', 'hold')
    )
    .where('refund.partnerId', '=', owner.partnerId)
    .where('refund.accountId', '=', accountId(owner))
    .where('refund.seq', '>', after)
    .where('refund.kind', '=', 'refund')
    .where('hold.createdAt', '>=', first)
    .select([sql<string>`substr(hold."createdAt", 1, 10)`.as('date'), 'refund.amountMicros'])
  return db
    .selectFrom(taken.unionAll(givenBack).as('moved'))
    .select((eb) => ['date', eb.fn.sum<number>('amountMicros').as('amountMicros')])
    .groupBy('date')
    .execute()
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
