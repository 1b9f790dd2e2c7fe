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
  startLooking(deleteLeft, {
    everyMs: LOOK_MS,
    onError: (error) => log.warn('what was forgotten or erased could not be deleted', { error })
  })

/** Some 10 ms of most tables. */
const BATCH = 200

export interface Some {
  table: keyof Tables
  /** Names a row; `id` unless told. */
  key?: readonly string[] | undefined
  where: RawBuilder<unknown>
  order?: RawBuilder<unknown> | undefined
  /** What is done with them; they are deleted unless told. */
  change?: RawBuilder<unknown>
}

/** Changes at most so many rows; how many there were. */
export async function changeSome(
  tx: WriteHandle,
  { table, key = ['id'], where, order = sql``, change = sql`delete from ${sql.table(table)}` }: Some,
  most: number
): Promise<number> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const some = sql`select ${keys} from ${sql.table(table)} where ${where} ${order} limit ${sql.lit(most)}`
  // Once more outside: on PostgreSQL a row may have changed since it was found, such as a window that began anew.
  const { numAffectedRows = 0n } = await sql`${change} where (${keys}) in (${some}) and ${where}`.execute(tx)
  return Number(numAffectedRows)
}

export async function changeInBatches(database: Database, rows: Some, stopping?: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !stopping?.aborted; )
    isMore = await unhurried(database, async (tx) => (await changeSome(tx, rows, BATCH)) === BATCH)
}

/** A database that hung, or a machine that slept, is no reason to rest as long. */
const LONGEST_REST_MS = 250

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
  await sleep(Math.min(performance.now() - beganAt, LONGEST_REST_MS))
  return done
}
