// Each step can be done again: what isn't there any more counts as deleted.
import { sql } from 'kysely'
import { fromNow, HOUR_MS, MINUTE_MS, now } from '../../clock.ts'
import type { Database, WriteHandle } from '../../database/database.ts'
import { known } from '../../database/known.ts'
import type { Lease } from '../../jobs/leases.ts'
import { createQueue, type Queue } from '../../jobs/queue.ts'
import type { Log } from '../../log.ts'
import { backoffMs } from '../../net/backoff.ts'
import { withDeadline } from '../../net/deadline.ts'
import { UpstreamError } from '../../net/fetch-json.ts'
import { causeOf, type Honcho, wordsFor } from './api.ts'
import type { Removal } from './removals.ts'

const LOOK_MS = 2_000
const DEADLINE_MS = MINUTE_MS
/** Longer than the deadline and its transaction take. */
const LEASE_MS = 2 * MINUTE_MS
const STEP_MS = 1_000
const BACKOFF = { firstMs: 15_000, longestMs: HOUR_MS }

type Bounds = { signal: AbortSignal }

export type RemovalWorker = Pick<Queue<'honchoRemoval'>, 'drain' | 'stop'>

interface RemovalDeps {
  database: Database
  log: Log
  honcho: Honcho
  lookMs?: number
  stepMs?: number
}

/** Starts deleting at Honcho; nothing of it runs after `stop` has resolved. */
export function startRemovals({ lookMs = LOOK_MS, ...deps }: RemovalDeps): RemovalWorker {
  const queue = createQueue(deps, {
    table: 'honchoRemoval',
    only: sql`"serverUrl" = ${deps.honcho.url}`,
    concurrency: 1,
    leaseMs: LEASE_MS,
    lookMs,
    messages: {
      take: 'removals at Honcho could not be looked for',
      perform: 'removals at Honcho could not be kept'
    }
  })
  queue.start((lease) => perform(deps, lease))
  return queue
}

async function perform(
  { database, log, honcho, stepMs = STEP_MS }: Omit<RemovalDeps, 'lookMs'>,
  lease: Lease<Removal>
): Promise<void> {
  const removal = lease.row
  const startedAt = now()
  const letGo = (columns: Partial<Removal>) => database.transaction((tx) => lease.letGo(tx, columns))
  try {
    const limits = { timeoutMs: DEADLINE_MS, signals: [lease.signal] }
    const remove = removal.sessionId === '' ? removeMind : removeMemory
    const isGone = await withDeadline(limits, (signal) => remove(honcho, removal, { signal }))
    if (isGone && removal.settledAt <= startedAt)
      return await database.transaction((tx) => deleteRow(tx, removal))
    // Honcho deletes in its own background.
    const dueAt = isGone ? removal.settledAt : fromNow(stepMs)
    await letGo({ dueAt, attempts: 0, lastError: null })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (lease.signal.aborted) return void (await letGo({ dueAt: now() }))
    const lastError = wordsFor(error)
    log.warn('a removal at Honcho failed', { error: new Error(lastError, { cause: causeOf(error) }) })
    const attempts = removal.attempts + 1
    const waitMs = backoffMs(BACKOFF, removal.attempts, error.retryAfterSeconds)
    await letGo({ dueAt: fromNow(waitMs), attempts, lastError })
  }
}

/** One that was put in line again meanwhile is nobody's, and stays in line. */
async function deleteRow(tx: WriteHandle, { workspaceId, sessionId, serverUrl, leaseOwner }: Removal) {
  await tx
    .deleteFrom('honchoRemoval')
    .where((eb) => eb.and(known({ workspaceId, sessionId, serverUrl })))
    .where('leaseOwner', '=', leaseOwner)
    .execute()
}

/** Also what Honcho concluded from several memories, for it doesn't say which. Tells whether nothing is left to do. */
async function removeMemory(honcho: Honcho, { workspaceId, sessionId }: Removal, bounds: Bounds) {
  await honcho.removeSession(workspaceId, sessionId, bounds)
  const conclusions = await honcho.drawnConclusions(workspaceId, bounds)
  for (const id of conclusions) await honcho.removeConclusion(workspaceId, id, bounds)
  if (conclusions.length > 0) return false
  const card = await honcho.card(workspaceId, bounds)
  // Writing it would make a workspace that isn't there.
  if (card.length > 0) await honcho.emptyCard(workspaceId, bounds)
  return true
}

/** A Mind: Honcho deletes a workspace only once it has no session. Tells whether nothing is left to do. */
async function removeMind(honcho: Honcho, { workspaceId }: Removal, bounds: Bounds) {
  const sessions = await honcho.someSessions(workspaceId, bounds)
  for (const id of sessions) await honcho.removeSession(workspaceId, id, bounds)
  if (sessions.length > 0) return false
  try {
    await honcho.removeWorkspace(workspaceId, bounds)
    return true
  } catch (error) {
    // A session came in between.
    if (error instanceof UpstreamError && error.status === 409) return false
    throw error
  }
}
