// A server has one owner: what machine it is, and what becomes of what another instance left there.
import { column, running } from './statements.ts'

export const up = running([
  `alter table "instance" add column ${column('machineId', 'text')}`,
  `alter table "deploy" add column ${column('wipesFormer', 'integer not null default 0')}`
])
