// Which memory took the place of which, by a correction; the facts of the one that was corrected hold no more.
import * as t from './statements.ts'

export const up = t.running([
  `alter table "memory" add column ${t.column('supersededBy', 'integer')}`,
  `alter table "fact" add column ${t.column('supersededBy', 'integer')}`,
  `${t.index('memorySuperseded', 'memory', 'mindKey', 'supersededBy')} where "supersededBy" is not null`
])
