// How many rows a partner has of what it lists: counts that triggers move with the rows, in the same transaction.
import { sql } from 'kysely'
import { compiledOnce, type Slot } from './compiled.ts'
import type { ReadHandle } from './database.ts'
import { written } from './dialect.ts'

type CountedTable =
  | 'customer'
  | 'audit'
  | 'mail'
  | 'customerToken'
  | 'instance'
  | 'voiceAgent'
  | 'statement'
  | 'lowCredit'

/** All rows of a partner in a table, or those with one value of a column whose values are counted. */
export interface Counted {
  db: ReadHandle
  partnerId: string
  table: CountedTable
  column?: string | undefined
  value?: string | undefined
  /** Of those that are created on these days. */
  days?: Days | undefined
}

/** The first and the last one, in UTC. */
export interface Days {
  createdFrom?: string | undefined
  createdTo?: string | undefined
}

/**
 * The count of the partner's rows that have these values; `undefined` is no condition. There is none where there are
 * several conditions.
 */
export function countedBy(
  db: ReadHandle,
  partnerId: string,
  table: CountedTable,
  conditions: Record<string, string | undefined> = {}
): Counted | undefined {
  const [condition, ...more] = Object.entries(conditions).filter(([, value]) => value !== undefined)
  const [column, value] = condition ?? []
  // What has none is counted with what has an empty one.
  if (more.length > 0 || value === '') return undefined
  return { db, partnerId, table, column, value }
}

export async function rowCount({ db, partnerId, table, column, value = '', days }: Counted): Promise<number> {
  if (days) return countWithin(db, partnerId, table, days)
  const subject = column === undefined ? table : `${table}.${column}`
  const [row] = await countOf(db, partnerId, subject, value)
  return row?.count ?? 0
}

async function countWithin(db: ReadHandle, partnerId: string, table: string, days: Days) {
  const { createdFrom = '', createdTo = END } = days
  const { count } = await countsOf(db, partnerId)
    .where('subject', '=', `${table}.day`)
    .where('value', '>=', createdFrom)
    .where('value', '<=', createdTo)
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), sql.lit(0)).as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const countOf = compiledOnce((db, partnerId: Slot<string>, subject: Slot<string>, value: Slot<string>) =>
  countsOf(db, partnerId).where('subject', '=', subject).where('value', '=', value).select('count')
)

export const countsOf = (db: ReadHandle, partnerId: string | Slot<string>) =>
  db.selectFrom('rowCount').where('partnerId', '=', partnerId)

/** So many rows are passed over as fast as another way is found. */
const FEW = 1_000

/** Behind a day, an hour or a minute it sorts after all times within, in any collation. */
export const END = 'z'

/** Whether a row was created on these days. */
export const isWithin = ({ createdFrom = '', createdTo = '' }: Days) =>
  sql<boolean>`"createdAt" >= ${createdFrom} and "createdAt" < ${`${createdTo}${END}`}`

interface Place {
  before: string
  skip: number
}

/** Where a page begins that has so many newer rows before it: `skip` rows behind the newest of those `before` a time. */
export async function placeOf({ db, partnerId, table, days }: Counted, offset: number): Promise<Place> {
  let place = { before: `${days?.createdTo ?? ''}${END}`, skip: offset }
  if (offset <= FEW) return place
  let within = ''
  for (const unit of ['day', table === 'customer' ? 'minute' : 'hour']) {
    if (place.skip <= FEW) break
    const [found] = await placeWithin(db, partnerId, `${table}.${unit}`, within, place.before, place.skip)
    if (!found) return { before: '', skip: 0 }
    within = found.value
    place = { before: `${within}${END}`, skip: place.skip - found.newer }
  }
  return place
}

const placeWithin = compiledOnce(
  (
    db,
    partnerId: Slot<string>,
    subject: Slot<string>,
    from: Slot<string>,
    to: Slot<string>,
    skip: Slot<number>
  ) =>
    written<{ value: string; newer: number }>(
      db,
      sql`select "value", "newer" from
        (select "value", "count", sum("count") over (order by "value" desc) - "count" as "newer" from "rowCount"
          where "partnerId" = ${partnerId} and "subject" = ${subject} and "value" >= ${from} and "value" < ${to}) as "counted"
        where "newer" <= ${skip} and "newer" + "count" > ${skip}`
    )
)

declare module './tables.ts' {
  interface Tables {
    rowCount: {
      partnerId: string
      /** A table, or `<table>.<column>` by whose value is counted: `day`, `hour` and `minute` are the beginnings of a time. */
      subject: string
      /** `''` of all rows of a table, and of those that have none. */
      value: string
      count: number
    }
  }
}
