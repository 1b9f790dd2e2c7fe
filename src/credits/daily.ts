// What an account spent on each day, for charts.
import { DAY_MS, fromNow } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import { fromMicros } from '../money.ts'
import { type AccountOwner, accountId } from './store.ts'

/**
 * Credits spent on each of the last `days` days, today last; days are UTC's. What was held and given back was not
 * spent.
 */
export async function spentByDay(db: ReadHandle, owner: AccountOwner, days: number) {
  const dates = Array.from({ length: days }, (_, index) => fromNow((index + 1 - days) * DAY_MS).slice(0, 10))
  const rows = await db
    .selectFrom('creditDay')
    .where('accountId', '=', accountId(owner))
    .where('day', '>=', dates[0] ?? '')
    .select(['day', 'spentMicros'])
    .execute()
  const spent = new Map(rows.map(({ day, spentMicros }) => [day, spentMicros]))
  return dates.map((date) => ({ date, spent: fromMicros(spent.get(date) ?? 0) }))
}

declare module '../database/tables.ts' {
  interface Tables {
    /** A trigger adds every entry to its day. */
    creditDay: {
      accountId: string
      day: string
      spentMicros: number
    }
  }
}
