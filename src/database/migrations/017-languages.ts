// In which language a customer's people are met, where its record says so.
import { type Kysely, sql } from 'kysely'
import { column } from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table "customer" add column ${column('portalLanguage', 'text')}`).execute(db)
}
