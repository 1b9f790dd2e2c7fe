// Which memories speak of days to come, for what is next of a Mind.
import { type Kysely, sql } from 'kysely'
import { column, index } from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table "memory" add column ${column('ahead', 'integer')}`,
  `${index('memoryAhead', 'memory', 'mindKey', 'ahead')} where "ahead" is not null`
]
