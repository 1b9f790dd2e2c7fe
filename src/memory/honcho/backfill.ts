// Hands to Honcho what was stored before it was the engine. Run again, it goes on where it stopped.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/database.ts'
import { rowsWhere } from '../../database/known.ts'
import { countOf } from '../../database/page.ts'
import type { Log } from '../../log.ts'
import { queueUnseen } from '../jobs/queue.ts'
import { type MindScope, mindsIn, requeueFailures } from '../jobs/store.ts'
import { startMindWork } from '../jobs/worker.ts'
import type { Honcho } from './api.ts'
import { forwardWork } from './forward.ts'

export interface BackfillDeps {
  database: Database
  log: Log
  honcho: Honcho
}

const LOOK_MS = 500

/** Puts in line whatever Honcho was not told yet, also what was given up on. */
export async function queueBackfill(
  { database, honcho }: Pick<BackfillDeps, 'database' | 'honcho'>,
  scope: MindScope
) {
  const work = forwardWork(honcho, database)
  await database.transaction((tx) => requeueFailures(tx, mindsIn(tx, scope), work.kind))
  await queueUnseen(database, work, scope)
  return waitingFor(database, scope)
}

/** Resolves once none is left in line or Honcho fails; what is left then waits. @param at is told how many still wait */
export async function forwardBackfill(
  { database, log, honcho }: BackfillDeps,
  scope: MindScope,
  { at, signal }: { at(waiting: number): void; signal: AbortSignal }
) {
  const worker = startMindWork({ database, log, scope, lookMs: LOOK_MS }, forwardWork(honcho, database))
  try {
    for (;;) {
      const drained = worker.drain().then(() => true)
      while (!(await Promise.race([drained, sleep(LOOK_MS, false)]))) {
        if (signal.aborted) await worker.stop()
        at((await waitingFor(database, scope)).memories)
      }
      const left = await waitingFor(database, scope)
      // Without an error another process has them in hand, such as the service.
      if (left.minds === 0 || left.lastError || signal.aborted) return left
      await sleep(LOOK_MS)
    }
  } finally {
    await worker.stop()
  }
}

async function waitingFor({ read }: Database, scope: MindScope) {
  const jobs = await rowsWhere(read, 'mindJob', { kind: 'forward' })
    .where('dueAt', 'is not', null)
    .where('mindKey', 'in', mindsIn(read, scope))
    .select((eb) => [
      eb.fn.countAll<number>().as('minds'),
      eb.fn.coalesce(eb.fn.sum<number>('waiting'), eb.lit(0)).as('memories'),
      eb.fn.max('lastError').as('lastError')
    ])
    .executeTakeFirstOrThrow()
  const failures = rowsWhere(read, 'mindJobFailure', { kind: 'forward', isQueued: 0 })
  return { ...jobs, refused: await countOf(failures.where('mindKey', 'in', mindsIn(read, scope))) }
}
