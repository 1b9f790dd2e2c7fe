// When a key or token was last used, to the minute: a write for each request would cost more than the request.
import { fromNow, MINUTE_MS, now } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { unlessUnderWay } from '../once.ts'

/** Whether a use that was last recorded at `lastUsedAt` is worth a write. */
export const isUseStale = (lastUsedAt: string | null): boolean =>
  !lastUsedAt || Date.parse(lastUsedAt) < Date.now() - MINUTE_MS

/** Records a use now, at most once a minute whoever else records it. */
export async function recordUse(
  database: Database,
  table: 'apiKey' | 'customerToken',
  id: string
): Promise<void> {
  await unlessUnderWay(id, () =>
    database.transaction((tx) =>
      tx
        .updateTable(table)
        .set({ lastUsedAt: now() })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', fromNow(-MINUTE_MS))]))
        .execute()
    )
  )
}
