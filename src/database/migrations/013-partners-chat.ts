// Conversations that a partner has with an agent: its customer doesn't see them.
import { type Kysely, sql } from 'kysely'
import { column } from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPartners = column('isPartners', 'integer not null default 0')
  await sql.raw(`alter table "chatConversation" add column ${isPartners}`).execute(db)
}
