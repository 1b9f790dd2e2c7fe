// Customers whose text has the searched one in it, found by three letters in a row where the database has such an index.
import { sql } from 'kysely'
import type { ReadHandle } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { isOwnedBy } from '../database/known.ts'
import { containing, foldText } from '../fold.ts'

/** More of them don't find fewer. */
const MOST = 30

/** Whether a row of `customer` is the partner's and has the text in it. PostgreSQL finds the index by itself. */
export function isFoundBy(db: ReadHandle, partnerId: string, search: string) {
  const has = sql<boolean>`"searchText" like ${containing(search)} escape '\\'`
  const letters = [...foldText(search)]
  const threes = letters.slice(2).map((letter, index) => `${letters[index]}${letters[index + 1]}${letter}`)
  if (isPostgres(db) || threes.length === 0) return sql<boolean>`"partnerId" = ${partnerId} and ${has}`
  const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`
  const text = [...new Set(threes)].slice(0, MOST).map(phrase).join(' AND ')
  const candidates = sql`select "customerId" from "customerSearch"
    cross join "customerSearchKey" on "key" = "customerSearch"."rowid"
    where "customerSearch" match ${`partner : ${phrase(partnerId.slice(-3))} AND text : (${text})`}`
  return sql<boolean>`"id" in (${candidates}) and ${isOwnedBy(partnerId)} and ${has}`
}
