// SQL that Kysely's builder can't say, or not once for all calls.
import { type Expression, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { ReadHandle } from './database.ts'

/** A statement for `compiledOnce`. */
export const written = <Row>(db: ReadHandle, statement: RawBuilder<Row>) => ({
  compile: () => statement.compile(db)
})

/** The same for one that the two databases spell in different ways. */
export const spelled = <Row>(db: ReadHandle, spellings: Record<'sqlite' | 'postgres', RawBuilder<Row>>) =>
  written(db, spellings[isPostgres(db) ? 'postgres' : 'sqlite'])

/**
 * All rows of a query as JSON text, in one value: for hundreds of rows as rows a driver takes longer than the database.
 * @param columns what it selects
 */
export const asJson = (db: ReadHandle, query: Expression<unknown>, columns: readonly string[]) => {
  const members = columns.flatMap((column) => [sql.lit(column), sql.ref(column)])
  return isPostgres(db)
    ? sql<string>`(select coalesce(json_agg("row"), '[]')::text from ${query} as "row")`
    : sql<string>`(select json_group_array(json_object(${sql.join(members)})) from ${query})`
}

export const isPostgres = (db: Pick<ReadHandle, 'getExecutor'>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter
