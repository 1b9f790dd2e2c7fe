// Which memory took the place of which, by a correction; the facts of the one that was corrected hold no more.
import { column, index, running } from './statements.ts'

export const up = running([
  `alter table "memory" add column ${column('supersededBy', 'integer')}`,
  `alter table "fact" add column ${column('supersededBy', 'integer')}`,
  `${index('memorySuperseded', 'memory', 'mindKey', 'supersededBy')} where "supersededBy" is not null`
])
