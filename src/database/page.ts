import { type SelectQueryBuilder, sql } from 'kysely'
import { paginate } from '../../schemas/envelope.ts'
import { foldText } from '../fold.ts'
import type { ReadHandle } from './database.ts'
import { isPostgres } from './dialect.ts'
import { type Counted, type Days, END, isWithin, placeOf, rowCount } from './row-count.ts'
import type { Tables } from './tables.ts'

/**
 * One page of the ordered rows, and where it stands among all. `all` finds the same rows, without what only shows them.
 * Where they are counted, newest first, neither their number nor how deep the page lies makes a difference.
 */
export async function pageOfRows<Joined, From extends keyof Joined, Row, Table extends keyof Tables>(
  { page, limit }: { page: number; limit: number },
  ordered: SelectQueryBuilder<Joined, From, Row>,
  all: SelectQueryBuilder<Tables, Table, object>,
  counted?: Counted,
  isNewest = true
) {
  const offset = (page - 1) * limit
  const [rows, count] = await Promise.all([
    isNewest && counted && counted.column === undefined
      ? rowsFrom(counted, ordered, offset, limit)
      : ordered.limit(limit).offset(offset).execute(),
    counted ? rowCount(counted) : countOf(all)
  ])
  return { rows, pagination: paginate(page, limit, count) }
}

/** An order that people chose: by when rows were created or by a text of theirs, the other way round behind a `-`. */
type Sort<Name extends string> = 'createdAt' | '-createdAt' | Name | `-${Name}`

const NEWEST_FIRST = '-createdAt'

/** The order of names, as the indexes are made (`024-orders.ts`). */
export const BY_NAME = { name: 'lower("name")' }

interface Looking<Name extends string> extends Days {
  page: number
  limit: number
  sort?: Sort<Name> | undefined
}

interface Looked<Name extends string> {
  db: ReadHandle
  /** By what texts are put in order: as an expression that their index has. */
  texts: Readonly<Record<Name, string>>
  /** Their number, where it is kept. */
  counted?: Counted | undefined
  isFew?: boolean | undefined
}

/** One page of the rows that were created on these days, in the order that was chosen, newest first unless told. */
export async function pageInOrder<Name extends string, Row, Table extends keyof Tables>(
  { page, limit, sort, ...days }: Looking<Name>,
  rows: SelectQueryBuilder<Tables, Table, Row>,
  all: SelectQueryBuilder<Tables, Table, object>,
  { db, texts, counted, isFew }: Looked<Name>
) {
  const { by, direction } = orderOf(db, sort, texts, isFew)
  const isNewest = isNewestFirst(sort)
  const ordered = rows.orderBy(by, direction).orderBy(sql.ref('id'), direction)
  const position = { page, limit }
  if (!(days.createdFrom ?? days.createdTo)) return pageOfRows(position, ordered, all, counted, isNewest)
  const [shown, matching] = [ordered.where(isWithin(days)), all.where(isWithin(days))]
  const within = counted && counted.column === undefined ? { ...counted, days } : undefined
  return pageOfRows(position, shown, matching, within, isNewest)
}

interface LookingByName extends Omit<Looking<'name'>, 'limit'> {
  limit?: number | undefined
  search?: string | undefined
}

/** The same of what a partner has few of, by a name that has the text in it. */
export function pageOfFew<Row extends { name: string; createdAt: string }>(
  rows: readonly Row[],
  { page, limit = 20, sort = '-createdAt', search = '', createdFrom = '', createdTo = '' }: LookingByName
) {
  const found = rows.filter(
    ({ name, createdAt }) =>
      createdAt >= createdFrom &&
      createdAt < `${createdTo}${END}` &&
      foldText(name).includes(foldText(search))
  )
  const by = (row: Row) => (sort.endsWith('name') ? foldText(row.name) : row.createdAt)
  const turn = sort.startsWith('-') ? -1 : 1
  found.sort((one, other) => (by(one) < by(other) ? -turn : turn))
  return {
    data: found.slice((page - 1) * limit, page * limit),
    pagination: paginate(page, limit, found.length)
  }
}

/**
 * What rows are ordered by, and which way; the id breaks ties. Of texts the bytes count, whichever language the database is in.
 *
 * @param isFew whether those that match are: to go by the order until enough were found could mean to read all
 */
export function orderOf<Name extends string>(
  db: ReadHandle,
  sort: Sort<Name> = NEWEST_FIRST,
  texts: Readonly<Record<Name, string>>,
  isFew = false
) {
  const name = sort.replace('-', '') as Name
  const by = isByTime(sort) ? '"createdAt"' : `${texts[name]}${bytes(db)}`
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  return { by: sql.raw(isFew ? `${by} || ''` : by), direction } as const
}

export const isByTime = (sort = NEWEST_FIRST): boolean => sort.endsWith('createdAt')

export const isNewestFirst = (sort = NEWEST_FIRST): boolean => sort === NEWEST_FIRST

/** Texts are compared by their bytes, on PostgreSQL, too. */
export const bytes = (db: ReadHandle): string => (isPostgres(db) ? ' collate "C"' : '')

/** Ids for `in`: what is joined to a page's rows is read for them alone, not for those that are passed over. */
export const among = (rows: readonly { id: string }[]): string[] =>
  // PostgreSQL knows no empty list.
  [...rows.map(({ id }) => id), '']

/** What was read of those ids, as they stand. */
export function inOrderOf<Row extends { id: string }>(
  ids: readonly { id: string }[],
  rows: readonly Row[]
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => byId.get(id) ?? [])
}

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

/** How many rows there are. */
export async function countOf<Table extends keyof Tables>(all: SelectQueryBuilder<Tables, Table, object>) {
  const counted = all.select((eb) => eb.fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}
