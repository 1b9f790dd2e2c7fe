// Deletes in the background, a small batch at a time: all at once it would keep all others from writing for seconds.
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database, WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Log } from '../log.ts'
import { type Looker, startLooking } from './looker.ts'

/** What another process has left to delete, or this one before it ended, is found within so long. */
const LOOK_MS = 2_000

/** Starts deleting in the background; stopped, it ends after the batch that is under way, and another start goes on. */
export const startDeleting = (deleteLeft: (stopping: AbortSignal) => Promise<unknown>, log: Log): Looker =>
  startLooking((stopping) => deleteLeft(stopping).then(() => undefined), {
    everyMs: LOOK_MS,
    onError: (error) => log.warn('what was forgotten or erased could not be deleted', { error })
  })

/** Some 10 ms of most tables. */
const BATCH = 200

interface Condition {
  table: keyof Tables
  /** Names a row; `id` unless told. */
  key?: readonly string[]
  where: RawBuilder<unknown>
  /** What is done with them; they are deleted unless told. */
  change?: RawBuilder<unknown>
}

export async function deleteInBatches(
  database: Database,
  { table, key = ['id'], where, change = sql`delete from ${sql.table(table)}` }: Condition,
  stopping?: AbortSignal
): Promise<void> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const some = sql`select ${keys} from ${sql.table(table)} where ${where} limit ${sql.lit(BATCH)}`
  for (let isMore = true; isMore && !stopping?.aborted; ) {
    isMore = await unhurried(database, async (tx) => {
      const { numAffectedRows = 0n } = await sql`${change} where (${keys}) in (${some})`.execute(tx)
      return numAffectedRows >= BATCH
    })
  }
}

/** And then a rest as long as it took: SQLite doesn't queue writers, and others would hardly ever find the lock free. */
export async function unhurried<T>(
  database: Database,
  work: (tx: WriteHandle) => Promise<T>,
  partnerId?: string
): Promise<T> {
  let beganAt = 0
  const done = await database.transaction((tx) => {
    beganAt = performance.now()
    return work(tx)
  }, partnerId)
  await sleep(performance.now() - beganAt)
  return done
}
