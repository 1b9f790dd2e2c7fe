// Which Minds work is done for, where it isn't all of them.
import type { ReadHandle } from '../../database/database.ts'

/** Those of one partner or of one customer; all of them where both are left out. */
export interface MindScope {
  partnerId?: string | undefined
  customerId?: string | undefined
}

/** Their keys, as a subquery. */
export const mindsIn = (db: ReadHandle, { partnerId, customerId }: MindScope) =>
  db
    .selectFrom('mind')
    .$if(partnerId !== undefined, (query) => query.where('partnerId', '=', partnerId ?? ''))
    .$if(customerId !== undefined, (query) => query.where('customerId', '=', customerId ?? ''))
    .select('key')
