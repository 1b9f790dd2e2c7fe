// Does the work behind the Minds, in this process beside others: who is due, a few at once.
import { type RawBuilder, sql } from 'kysely'
import type { Database, ReadHandle } from '../../database/database.ts'
import { endLeases } from '../../jobs/leases.ts'
import { createQueue, type Queue } from '../../jobs/queue.ts'
import type { Log } from '../../log.ts'
import { queueUnseen } from './queue.ts'
import { runJob } from './run.ts'
import { type MindScope, mindsIn } from './store.ts'
import type { MindWork } from './work.ts'

export type MindWorker = Pick<Queue<'mindJob'>, 'wake' | 'drain' | 'stop'>

export interface WorkerDeps {
  database: Database
  log: Log
  lookMs?: number
  scope?: MindScope
}

const LOOK_MS = 2_000
/** Beyond the work's own deadline, for its transaction. */
const LEASE_MARGIN_MS = 60_000

/** Starts one kind of work; nothing of it runs after `stop` has resolved. What is under way then is done again later. */
export function startMindWork({ database, log, lookMs = LOOK_MS, scope = {} }: WorkerDeps, work: MindWork) {
  const queue = createQueue(
    { database, log },
    {
      table: 'mindJob',
      only: jobsOf(database.read, work, scope),
      concurrency: work.concurrency,
      leaseMs: work.deadlineMs + LEASE_MARGIN_MS,
      lookMs,
      taking: () => ({ isUnsure: 1 as const }),
      messages: {
        take: 'work on Minds could not be looked for',
        perform: 'work on a Mind could not be kept'
      },
      fields: { work: work.kind },
      async begin(stopping) {
        await database.transaction((tx) => endLeases(tx))
        await queueUnseen(database, work, scope, stopping)
      }
    }
  )
  queue.start((lease) => runJob({ database, log }, work, lease))
  return queue
}

/** The rows of a kind of work; nothing of a forgotten Mind's. */
export const jobsOf = (
  db: ReadHandle,
  { kind }: Pick<MindWork, 'kind'>,
  scope: MindScope = {}
): RawBuilder<unknown> => sql`"kind" = ${kind} and "mindKey" in (${mindsIn(db, scope)})`
