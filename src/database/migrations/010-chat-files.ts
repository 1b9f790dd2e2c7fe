// Files that come with a message and with a reply: their names and sizes, never what is in them.
import { type Kysely, sql } from 'kysely'
import { column } from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table "chatExchange" add column ${column('files', "text not null default '[]'")}`,
  `alter table "chatThread" add column ${column('uploads', "text not null default '[]'")}`
]
