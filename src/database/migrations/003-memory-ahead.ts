// Which memories speak of days to come, for what is next of a Mind.
import { column, index, running } from './statements.ts'

export const up = running([
  `alter table "memory" add column ${column('ahead', 'integer')}`,
  `${index('memoryAhead', 'memory', 'mindKey', 'ahead')} where "ahead" is not null`
])
