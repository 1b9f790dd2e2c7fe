import type { WriteHandle } from '../database/database.ts'

/** Removes a batch of windows that have ended; how many there were. */
export async function forgetEndedWindows(tx: WriteHandle, batch: number): Promise<number> {
  const ended = tx
    .selectFrom('rateLimit')
    .where('expire', '<=', Date.now())
    .select('key')
    // In one order, so that two processes that sweep at once don't wait for each other in a circle.
    .orderBy('key')
    .limit(batch)
  const { numDeletedRows } = await tx
    .deleteFrom('rateLimit')
    .where('key', 'in', ended)
    // Again: its key may have begun a new window since.
    .where('expire', '<=', Date.now())
    .executeTakeFirst()
  return Number(numDeletedRows)
}
