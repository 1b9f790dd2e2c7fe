// Which memories speak of days to come, for what is next of a Mind.
import * as t from './statements.ts'

export const up = t.running([
  `alter table "memory" add column ${t.column('ahead', 'integer')}`,
  `${t.index('memoryAhead', 'memory', 'mindKey', 'ahead')} where "ahead" is not null`
])
