import { sql } from 'kysely'

/** Whose the rows are that ids find. Were it plain, SQLite could go through all of the partner's rows for it. */
export const isOwnedBy = (partnerId: string, table?: string) =>
  sql<boolean>`${sql.ref(table === undefined ? 'partnerId' : `${table}.partnerId`)} || '' = ${partnerId}`

/** For `eb.and`, which leaves out what has no value: then rows of every tenant would match. @throws Error for it */
export function known<Columns extends object>(columns: Columns): Columns {
  for (const [name, value] of Object.entries(columns))
    if (value === undefined) throw new Error(`${name} has no value to look for`)
  return columns
}
