// A small batch at a time: nobody reaches it any more, and a large one would keep all others from writing for seconds.
import { sql } from 'kysely'
import { forgetAnswersOfMind } from '../credits/kept-answers.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import type { Flag } from '../database/tables.ts'
import { unhurried } from '../jobs/deleter.ts'

/** Deletes all that forgotten Minds have left; interrupted, it goes on the next time. */
export async function deleteForgotten(database: Database, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted && !(await unhurried(database, deleteBatch)));
}

/** Where a Mind leaves many rows: by which of its names, in which order, and how many take some 10 ms to delete. */
const TABLES = [
  { table: 'idempotency', by: 'mindId', order: ['partnerId', 'operation', 'key'], batch: 200 },
  { table: 'embedding', by: 'mindKey', order: ['block'], batch: 100 },
  { table: 'fact', by: 'mindKey', order: ['seq', 'part'], batch: 500 },
  { table: 'posting', by: 'mindKey', order: ['term', 'seq'], batch: 10_000 },
  { table: 'mindAuthor', by: 'mindKey', order: ['name'], batch: 2_000 },
  { table: 'mindJobFailure', by: 'mindKey', order: ['kind', 'seq'], batch: 1_000 },
  { table: 'memory', by: 'mindKey', order: ['seq'], batch: 200 }
] as const
const ANSWERS = 200
/** With little to do in one table, a batch goes on with the next one until then. */
const BATCH_MS = 10

/** Deletes some of what one forgotten Mind has left; whether nothing is left of any. */
export async function deleteBatch(tx: WriteHandle): Promise<boolean> {
  const endsAt = performance.now() + BATCH_MS
  const mind = await tx
    .selectFrom('mindContent')
    .where('isForgotten', '=', sql.lit<Flag>(1))
    .select(['key as mindKey', 'id as mindId'])
    .orderBy('key')
    .limit(1)
    .executeTakeFirst()
  if (!mind) return true
  if ((await forgetAnswersOfMind(tx, mind.mindId, ANSWERS)) === ANSWERS) return false
  for (const { table, by, order, batch } of TABLES) {
    const columns = sql.join(order.map((column) => sql.ref(column)))
    const rows = sql`from ${sql.table(table)} where ${sql.ref(by)} = ${mind[by]}`
    const first = sql<Record<string, string | number>>`
      select ${columns} ${rows} order by ${columns} limit 1 offset ${batch}`
    const [end] = (await first.execute(tx)).rows
    // Up to a place in the order: named one by one they would take five times as long (measured).
    const before = end ? sql`and (${columns}) < (${sql.join(order.map((column) => end[column]))})` : sql``
    const { numAffectedRows } = await sql`delete ${rows} ${before}`.execute(tx)
    // Where nothing was to delete it goes on, however slow the database is: else it would never come to the last table.
    if (end || (numAffectedRows && performance.now() > endsAt)) return false
  }
  // The few other rows go with it.
  await tx.deleteFrom('mindContent').where('key', '=', mind.mindKey).execute()
  return false
}
