// Files that come with a message and with a reply: their names and sizes, never what is in them.
import { column, running } from './statements.ts'

export const up = running([
  `alter table "chatExchange" add column ${column('files', "text not null default '[]'")}`,
  `alter table "chatThread" add column ${column('uploads', "text not null default '[]'")}`
])
