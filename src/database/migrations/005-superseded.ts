// Which memory took the place of which, by a correction; the facts of the one that was corrected hold no more.
import { type Kysely, sql } from 'kysely'
import { column, index } from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table "memory" add column ${column('supersededBy', 'integer')}`,
  `alter table "fact" add column ${column('supersededBy', 'integer')}`,
  `${index('memorySuperseded', 'memory', 'mindKey', 'supersededBy')} where "supersededBy" is not null`
]
