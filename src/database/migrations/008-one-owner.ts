// A server has one owner: what machine it is, and what becomes of what another instance left there.
import * as t from './statements.ts'

export const up = t.running([
  `alter table "instance" add column ${t.column('machineId', 'text')}`,
  `alter table "deploy" add column ${t.column('wipesFormer', 'integer not null default 0')}`
])
