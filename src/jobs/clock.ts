// What a clock that ran ahead has put off is due by that clock alone. Once it is set right again, it is due at once.
import { sql } from 'kysely'
import { fromNow, HOUR_MS, MINUTE_MS, now } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { LONGEST_WAIT_MS } from '../webhooks/deliver.ts'
import { changeInBatches, type Some } from './deleter.ts'
import { JOBS } from './leases.ts'
import { startLooking } from './looker.ts'

const LOOK_MS = 1_000
/** Clocks that differ by less agree. */
export const LEAST_STEP_MS = MINUTE_MS

/** What is due later than its queue ever puts anything off. What another side asks for is an hour at most. */
function putOff({ usageSyncSeconds, models, agentCheckTimes }: Config): Some[] {
  const longest: Readonly<Record<string, number>> = {
    webhookDelivery: LONGEST_WAIT_MS,
    usageSync: usageSyncSeconds * 1_000,
    mindJob: models.consolidateAgeMs,
    instance: 1.1 * agentCheckTimes.everyMs
  }
  const webhookDelivery = { key: ['seq'], dueAt: 'nextAttemptAt', waits: sql`"status" = 'queued'` }
  const isFree = sql`"leaseOwner" is null`
  return Object.entries({ ...JOBS, webhookDelivery }).map(([table, { key, dueAt, waits }]) => {
    const last = fromNow(Math.max(HOUR_MS, longest[table] ?? 0) + LEAST_STEP_MS)
    const change = sql`update ${sql.table(table)} set ${sql.ref(dueAt)} = ${now()}`
    const isPutOff = sql`${sql.ref(dueAt)} > ${last}`
    // Before that time has come, or nobody can tell that it was ahead.
    const isRead = sql`"syncedTo" > ${fromNow(LEAST_STEP_MS)}`
    const isLate = table === 'usageSync' ? sql`(${isPutOff} or ${isRead})` : isPutOff
    const where = sql`${waits} and ${isLate} and ${table in JOBS ? isFree : sql`true`}`
    return { table: table as keyof typeof JOBS, key, where, change }
  })
}

/** By PostgreSQL's own clock. SQLite has none but ours, and no process that goes by another. */
async function isSlow({ kind, read }: Database): Promise<boolean> {
  if (kind === 'sqlite') return false
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp()) as "at"`.execute(
    read
  )
  return Date.now() < Number(rows[0]?.at) * 1_000 - LEAST_STEP_MS
}

/**
 * Looks for it at the start, and once this process's clock was set back, unless that made it slow: by a slow clock all that
 * waits is put off for too long.
 */
export function startRightingTimes(database: Database, config: Config, log: Log) {
  let ahead = Number.POSITIVE_INFINITY
  return startLooking(
    async (stopping) => {
      const found = Date.now() - performance.now()
      if (found < ahead - LEAST_STEP_MS) {
        if (await isSlow(database)) return
        for (const rows of putOff(config)) {
          const any = sql`select 1 from ${sql.table(rows.table)} where ${rows.where} limit 1`
          if ((await any.execute(database.read)).rows.length > 0)
            await changeInBatches(database, rows, stopping)
        }
      }
      ahead = found
    },
    {
      everyMs: LOOK_MS,
      onError: (error) => log.warn('what a fast clock had put off could not be looked for', { error })
    }
  )
}
