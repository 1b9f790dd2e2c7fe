// Customers whose text has the searched one in it, found by three letters in a row where the database has such an index; and
// those that need something.
import { sql } from 'kysely'
import { DAY_MS, fromNow } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { isOwnedBy, rowsWhere } from '../database/known.ts'
import { bytes } from '../database/page.ts'
import { rowCount } from '../database/row-count.ts'
import { containing, foldText } from '../fold.ts'

/** Ids: of who is low on credits or has none left, and of whose invite lapses within two days, or has. */
export const NEEDS = {
  credits: (db: ReadHandle, partnerId: string) =>
    rowsWhere(db, 'lowCredit', { partnerId }).select('customerId as id'),
  invite(db: ReadHandle, partnerId: string) {
    const invited = rowsWhere(db, 'identity', { partnerId, passwordHash: null })
      .where('temporaryPasswordExpiresAt', '<=', fromNow(2 * DAY_MS))
      .orderBy('temporaryPasswordExpiresAt', 'desc')
      // Those that lapsed last, however many there are.
      .limit(100)
    // Were the state plain, all that are in it could be read for them.
    const isOpen = sql<boolean>`"credentialStatus" || '' = 'active' and "customerPortalEnabled" = 1`
    const owned = db.selectFrom('customer').where('ownerIdentityId', 'in', invited.select('id'))
    return owned.where(isOpen).select('id')
  }
}

/** So many of its customers a text finds things of. */
const MOST_OWNERS = 1_000
const LAST_LETTER = '\u{10FFFF}'

/**
 * Whether a row of what customers have is the partner's; where a text is searched, such that one of these columns begins
 * with it, or its customer has it.
 */
export function isLookedFor(
  db: ReadHandle,
  partnerId: string,
  search: string | undefined,
  table: string,
  columns: readonly string[]
) {
  if (!search) return sql<boolean>`"partnerId" = ${partnerId}`
  const ids = sql`select "id" from ${sql.table(table)} where`
  const beginning = columns.map((column) => {
    const text = sql.raw(`${column}${bytes(db)}`)
    return sql`${ids} "partnerId" = ${partnerId} and ${text} >= lower(${search})
      and ${text} < lower(${search}) || ${LAST_LETTER}`
  })
  const owners = sql`select "id" from "customer" where ${isFoundBy(db, partnerId, search)} limit ${MOST_OWNERS}`
  const found = sql.join([...beginning, sql`${ids} "customerId" in (${owners})`], sql` union all `)
  return sql<boolean>`"id" in (${found}) and ${isOwnedBy(partnerId)}`
}

/** More of them don't find fewer. */
const MOST = 30
/** These tell whether there may be many. */
const FIRST = 3

/** Whether a row of `customer` has the text in it, told by reading it: SQLite's `like` would take three times as long. */
export const has = (db: ReadHandle, search: string) =>
  isPostgres(db)
    ? sql<boolean>`"searchText" like ${containing(search)} escape '\\'`
    : sql<boolean>`instr("searchText", ${foldText(search)}) > 0`

/** Whether a row of `customer` is the partner's and has the text in it. PostgreSQL finds the index by itself. */
export function isFoundBy(db: ReadHandle, partnerId: string, search: string) {
  const phrases = phrasesOf(db, partnerId, search)
  if (phrases === undefined) return sql<boolean>`"partnerId" = ${partnerId} and ${has(db, search)}`
  const candidates = sql`select "customerId" from "customerSearch"
    cross join "customerSearchKey" on "key" = "customerSearch"."rowid"
    where "customerSearch" match ${phrases}`
  return sql<boolean>`"id" in (${candidates}) and ${isOwnedBy(partnerId)} and ${has(db, search)}`
}

/** Whether a quarter of the partner's customers could have the text in it: to read all is quicker than to look up so many. */
export async function isCommon(db: ReadHandle, partnerId: string, search: string): Promise<boolean> {
  const phrases = phrasesOf(db, partnerId, search, FIRST)
  if (phrases === undefined) return false
  const few = Math.ceil((await rowCount({ db, partnerId, table: 'customer' })) / 4)
  const some = sql`select 1 from "customerSearch" where "customerSearch" match ${phrases} limit ${few}`
  const { rows } = await sql<{ count: number }>`select count(*) as "count" from (${some})`.execute(db)
  return few > 0 && rows[0]?.count === few
}

/** What the index is asked for, where there is one, and the text has three letters. */
function phrasesOf(db: ReadHandle, partnerId: string, search: string, most = MOST): string | undefined {
  const letters = [...foldText(search)]
  const threes = letters.slice(2).map((letter, index) => `${letters[index]}${letters[index + 1]}${letter}`)
  if (isPostgres(db) || threes.length === 0) return undefined
  const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`
  const text = [...new Set(threes)].slice(0, most).map(phrase).join(' AND ')
  return `partner : ${phrase(partnerId.slice(-3))} AND text : (${text})`
}
