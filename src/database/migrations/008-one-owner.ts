// A server has one owner: what machine it is, and what becomes of what another instance left there.
import { type Kysely, sql } from 'kysely'
import { column } from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table "instance" add column ${column('machineId', 'text')}`,
  `alter table "deploy" add column ${column('wipesFormer', 'integer not null default 0')}`
]
