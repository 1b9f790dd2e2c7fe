import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult
} from 'kysely'
import type { ReadHandle, WriteHandle } from './database.ts'
import type { Tables } from './tables.ts'

/** Whose the rows are that ids find. Were it plain, SQLite could go through all of the partner's rows for it. */
export const isOwnedBy = (partnerId: string, table?: string) =>
  sql<boolean>`${sql.ref(table === undefined ? 'partnerId' : `${table}.partnerId`)} || '' = ${partnerId}`

/** For `eb.and`, which leaves out what has no value: then rows of every tenant would match. @throws Error for it */
export function known<Columns extends object>(columns: Columns): Columns {
  for (const [name, value] of Object.entries(columns))
    if (value === undefined) throw new Error(`${name} has no value to look for`)
  return columns
}

type Table = keyof Tables
type Known<Of extends Table> = Partial<Selectable<Tables[Of]>>

/** Rows of which that is known, null for what has no value. @throws Error for what is left open, as `known` does */
export function rowsWhere<Of extends Table>(
  db: ReadHandle,
  table: Of,
  columns: Known<Of>
): SelectQueryBuilder<Tables, Of, object>
export function rowsWhere(db: ReadHandle, table: Table, columns: object): object {
  return db.selectFrom(table).where((eb) => eb.and(known(columns)))
}

/** Changes such rows. */
export function changeWhere<Of extends Table>(
  tx: WriteHandle,
  table: Of,
  columns: Known<Of>
): UpdateQueryBuilder<Tables, Of, Of, UpdateResult>
export function changeWhere(tx: WriteHandle, table: Table, columns: object): object {
  return tx.updateTable(table).where((eb) => eb.and(known(columns)))
}

/** Deletes such rows. */
export function deleteWhere<Of extends Table>(
  tx: WriteHandle,
  table: Of,
  columns: Known<Of>
): DeleteQueryBuilder<Tables, Of, DeleteResult>
export function deleteWhere(tx: WriteHandle, table: Table, columns: object): object {
  return tx.deleteFrom(table).where((eb) => eb.and(known(columns)))
}
