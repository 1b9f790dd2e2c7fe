// Files that come with a message and with a reply: their names and sizes, never what is in them.
import * as t from './statements.ts'

export const up = t.running([
  `alter table "chatExchange" add column ${t.column('files', "text not null default '[]'")}`,
  `alter table "chatThread" add column ${t.column('uploads', "text not null default '[]'")}`
])
