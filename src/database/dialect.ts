// SQL that Kysely's builder can't say, or not once for all calls.
import { PostgresAdapter, type RawBuilder } from 'kysely'
import type { ReadHandle } from './database.ts'

/** A statement for `compiledOnce`. */
export const written = <Row>(db: ReadHandle, statement: RawBuilder<Row>) => ({
  compile: () => statement.compile(db)
})

/** The same for one that the two databases spell in different ways. */
export const spelled = <Row>(db: ReadHandle, spellings: Record<'sqlite' | 'postgres', RawBuilder<Row>>) =>
  written(db, spellings[isPostgres(db) ? 'postgres' : 'sqlite'])

export const isPostgres = (db: Pick<ReadHandle, 'getExecutor'>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter
