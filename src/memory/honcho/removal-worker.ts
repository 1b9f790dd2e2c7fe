// Does in the background what removals.ts put in line, in each process; a crash leaves it in line.
import { fromNow, HOUR_MS, MINUTE_MS, now } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import { THIS_PROCESS } from '../../jobs/owner.ts'
import type { Log } from '../../log.ts'
import { backoffMs } from '../../net/backoff.ts'
import { withDeadline } from '../../net/deadline.ts'
import { UpstreamError } from '../../net/fetch-json.ts'
import type { Honcho } from './api.ts'
import { causeOf, wordsFor } from './fault.ts'
import type { Removal } from './removals.ts'
import { removeMemory, removeMind } from './remove.ts'

const LOOK_MS = 2_000
const DEADLINE_MS = MINUTE_MS
/** Whoever takes one has it for so long. */
const LEASE_MS = 2 * MINUTE_MS
/** Before the next step of a removal that takes several. */
const STEP_MS = 1_000
const BACKOFF = { firstMs: 15_000, longestMs: HOUR_MS }

export interface RemovalWorker {
  /** Does what is due in this very moment, and resolves when nothing due is left. */
  drain(): Promise<void>
  /** Ends what is under way; it is done again later. */
  stop(): Promise<void>
}

interface Surroundings {
  database: Database
  log: Log
  honcho: Honcho
  /** How often due removals are looked for. */
  lookMs?: number
  /** How long a removal rests before its next step. */
  stepMs?: number
}

/** Starts deleting at Honcho; nothing of it runs after `stop` has resolved. */
export function startRemovals(surroundings: Surroundings): RemovalWorker {
  const { database, log, honcho, lookMs = LOOK_MS } = surroundings
  const stopping = new AbortController()
  let working: Promise<void> | undefined
  const work = async () => {
    while (!stopping.signal.aborted) {
      const taken = await takeDue(database, honcho.url)
      if (!taken) return
      await perform(surroundings, taken, stopping.signal)
    }
  }
  const drain = () => {
    working ??= work()
      .catch((error: unknown) => log.error('removals at Honcho could not be kept', { error }))
      .finally(() => {
        working = undefined
      })
    return working
  }
  const timer = setInterval(drain, lookMs)
  timer.unref()
  return {
    drain,
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await working
    }
  }
}

/** Takes the longest due one, if nobody else is quicker. */
async function takeDue(database: Database, serverUrl: string): Promise<Removal | undefined> {
  for (;;) {
    const seen = await database.read
      .selectFrom('honchoRemoval')
      .where('serverUrl', '=', serverUrl)
      .where('dueAt', '<=', now())
      .selectAll()
      .orderBy('dueAt')
      .orderBy('workspaceId')
      .orderBy('sessionId')
      .limit(1)
      .executeTakeFirst()
    if (!seen) return undefined
    const lease = { dueAt: fromNow(LEASE_MS), leaseOwner: THIS_PROCESS }
    if (await change(database, seen, lease)) return { ...seen, ...lease }
  }
}

async function perform(surroundings: Surroundings, removal: Removal, stopping: AbortSignal): Promise<void> {
  const { database, log, honcho, stepMs = STEP_MS } = surroundings
  const startedAt = now()
  try {
    const isGone = await withDeadline({ timeoutMs: DEADLINE_MS, signals: [stopping] }, (signal) =>
      removal.sessionId === ''
        ? removeMind({ honcho, signal }, removal.workspaceId)
        : removeMemory({ honcho, signal }, removal)
    )
    if (isGone && removal.settledAt <= startedAt) return await remove(database, removal)
    // Honcho deletes in its own background.
    const dueAt = isGone ? removal.settledAt : fromNow(stepMs)
    await change(database, removal, { dueAt, attempts: 0, lastError: null })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (stopping.aborted) return void (await change(database, removal, { dueAt: now() }))
    const lastError = wordsFor(error)
    log.warn('a removal at Honcho failed', { error: new Error(lastError, { cause: causeOf(error) }) })
    const dueAt = fromNow(backoffMs(BACKOFF, removal.attempts, error.retryAfterSeconds))
    await change(database, removal, { dueAt, attempts: removal.attempts + 1, lastError })
  }
}

/** Changes it, and lets go of it unless told otherwise, while it is as it was seen; one that was put in line again stays in line. */
async function change(database: Database, seen: Removal, columns: Partial<Removal>): Promise<boolean> {
  return database.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('honchoRemoval')
      .set({ leaseOwner: null, ...columns })
      .where('workspaceId', '=', seen.workspaceId)
      .where('sessionId', '=', seen.sessionId)
      .where('serverUrl', '=', seen.serverUrl)
      .where('dueAt', '=', seen.dueAt)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

const remove = (database: Database, { workspaceId, sessionId, serverUrl, dueAt }: Removal): Promise<void> =>
  database.transaction(async (tx) => {
    await tx
      .deleteFrom('honchoRemoval')
      .where('workspaceId', '=', workspaceId)
      .where('sessionId', '=', sessionId)
      .where('serverUrl', '=', serverUrl)
      .where('dueAt', '=', dueAt)
      .execute()
  })
