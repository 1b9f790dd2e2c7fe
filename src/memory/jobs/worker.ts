// Does the work behind the Minds, in this process beside others: who is due, a few at once.
import type { Database } from '../../database/database.ts'
import { endLeases } from '../../jobs/leases.ts'
import { newOwner } from '../../jobs/owner.ts'
import { lookWhenWoken } from '../../jobs/wake.ts'
import type { Log } from '../../log.ts'
import { queueUnseen } from './queue.ts'
import { runJob } from './run.ts'
import type { MindScope } from './scope.ts'
import { dueJobs, type MindJob, takeJob } from './store.ts'
import type { MindWork } from './work.ts'

export interface MindWorker {
  /** Looks for due work now. */
  wake(): void
  /** Does what is due in this very moment, and resolves when nothing due is left. */
  drain(): Promise<void>
  /** Ends what is under way; it is done again later. */
  stop(): Promise<void>
}

export interface WorkerSurroundings {
  database: Database
  log: Log
  /** How often due work is looked for. */
  lookMs?: number
  /** The Minds for which it works; all of them when left out. */
  scope?: MindScope
}

const LOOK_MS = 2_000
/** Beyond the work's own deadline, for its transaction. */
const LEASE_MARGIN_MS = 60_000

/** Starts one kind of work; nothing of it runs after `stop` has resolved. */
export function startMindWork(
  { database, log, lookMs = LOOK_MS, scope }: WorkerSurroundings,
  work: MindWork
): MindWorker {
  const owner = newOwner()
  const stopping = new AbortController()
  const inHand = new Map<number, Promise<void>>()
  const takeDue = async () => {
    const free = work.concurrency - inHand.size
    if (free <= 0) return
    for (const seen of await dueJobs(database.read, work.kind, free + inHand.size, scope)) {
      if (inHand.size >= work.concurrency || stopping.signal.aborted) return
      if (inHand.has(seen.mindKey)) continue
      inHand.set(seen.mindKey, take(seen))
    }
  }
  const take = async (seen: MindJob) => {
    let hasFailed = false
    try {
      const lease = { owner, ms: work.deadlineMs + LEASE_MARGIN_MS }
      const job = await database.transaction((tx) => takeJob(tx, seen, lease))
      if (job) await runJob({ database, log }, work, { job, mayBeDone: seen.isUnsure === 1 }, stopping.signal)
    } catch (error) {
      // A database that can't be written to refuses at once: the next look is soon enough.
      hasFailed = true
      log.error('work on a Mind could not be kept', { error, work: work.kind })
    } finally {
      inHand.delete(seen.mindKey)
      if (!hasFailed) looker.wake()
    }
  }
  const looker = lookWhenWoken(
    () => takeDue().catch((error: unknown) => log.warn('work on Minds could not be looked for', { error })),
    stopping.signal
  )
  const begin = async () => {
    await database.transaction((tx) => endLeases(tx))
    for (let after: number | undefined = 0; after !== undefined && !stopping.signal.aborted; ) {
      const from: number = after
      after = await database.transaction((tx) => queueUnseen(tx, work, from, scope))
    }
  }
  const beginning = begin()
    .catch((error: unknown) => log.warn('work on Minds could not begin', { error }))
    .then(looker.wake)
  const timer = setInterval(looker.wake, lookMs)
  timer.unref()
  return {
    wake: looker.wake,
    async drain() {
      await beginning
      do {
        looker.wake()
        await looker.settled()
        await Promise.all(inHand.values())
      } while (
        !stopping.signal.aborted &&
        (inHand.size > 0 || looker.isLooking() || (await isDue(database, work, scope)))
      )
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await beginning
      await looker.settled()
      await Promise.all(inHand.values())
    }
  }
}

const isDue = async ({ read }: Database, { kind }: MindWork, scope?: MindScope): Promise<boolean> =>
  (await dueJobs(read, kind, 1, scope)).length > 0
