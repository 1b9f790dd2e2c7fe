import { type SelectQueryBuilder, sql } from 'kysely'
import { paginate } from '../../schemas/envelope.ts'
import { type Counted, placeOf, rowCount } from './row-count.ts'
import type { Tables } from './tables.ts'

/**
 * One page of the ordered rows, and where it stands among all. `all` finds the same rows, without what only shows them.
 * Where they are counted, newest first, neither their number nor how deep the page lies makes a difference.
 */
export async function pageOfRows<Joined, From extends keyof Joined, Row, Table extends keyof Tables>(
  { page, limit }: { page: number; limit: number },
  ordered: SelectQueryBuilder<Joined, From, Row>,
  all: SelectQueryBuilder<Tables, Table, object>,
  counted?: Counted
) {
  const offset = (page - 1) * limit
  const [rows, count] = await Promise.all([
    counted && counted.column === undefined
      ? rowsFrom(counted, ordered, offset, limit)
      : ordered.limit(limit).offset(offset).execute(),
    counted ? rowCount(counted) : countOf(all)
  ])
  return { rows, pagination: paginate(page, limit, count) }
}

/** Ids for `in`: what is joined to a page's rows is read for them alone, not for those that are passed over. */
export const among = (rows: readonly { id: string }[]): string[] =>
  // PostgreSQL knows no empty list.
  [...rows.map(({ id }) => id), '']

async function rowsFrom<Joined, From extends keyof Joined, Row>(
  counted: Counted,
  ordered: SelectQueryBuilder<Joined, From, Row>,
  offset: number,
  limit: number
) {
  const { before, skip } = await placeOf(counted, offset)
  const time = sql.ref(`${counted.table}.${counted.table === 'statement' ? 'startsAt' : 'createdAt'}`)
  return ordered.where(sql<boolean>`${time} < ${before}`).limit(limit).offset(skip).execute()
}

async function countOf<Table extends keyof Tables>(all: SelectQueryBuilder<Tables, Table, object>) {
  const counted = all.select((eb) => eb.fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}
