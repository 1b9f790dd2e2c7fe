// Servers behind a jump host: which key that shows. How it is reached stands before the server's own host.
import { type Kysely, sql } from 'kysely'
import { column } from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table "instance" add column ${column('jumpHostKey', 'text')}`).execute(db)
}
