// What was forgotten here goes at Honcho, too: written down in the transaction that forgets it, whichever engine is on, and
// deleted there by a worker. Each of its steps can be done again: what isn't there any more counts as deleted.
import { type Selectable, sql } from 'kysely'
import { earlier, fromNow, HOUR_MS, MINUTE_MS, now } from '../../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts'
import { changeWhere, deleteWhere } from '../../database/known.ts'
import type { Tables } from '../../database/tables.ts'
import type { Lease } from '../../jobs/leases.ts'
import { createQueue } from '../../jobs/queue.ts'
import type { Log } from '../../log.ts'
import { backoffMs } from '../../net/backoff.ts'
import { withDeadline } from '../../net/deadline.ts'
import { UpstreamError } from '../../net/fetch-json.ts'
import type { MemoryEngine } from '../engine.ts'
import { causeOf, type Honcho, type HonchoMind, wordsFor } from './api.ts'

export type Removal = Selectable<Tables['honchoRemoval']>
type RemovalPlace = Pick<Removal, 'serverUrl' | 'workspaceId' | 'sessionId'>

/** A call that nobody waits for any more may still come through for so long. */
const STRAY_MS = 2 * MINUTE_MS

export const withRemovals = (engine: MemoryEngine): MemoryEngine => ({
  ...engine,
  async forget(tx, mindKey, seq) {
    const forwarded = await forwardingOf(tx, mindKey)
    if (forwarded) {
      const memory = tx.selectFrom('memory').where('mindKey', '=', mindKey).where('seq', '=', seq)
      const { id } = await memory.select('id').executeTakeFirstOrThrow()
      const settledInMs = Math.max(forwarded.leaseMs, forwarded.isUnsure ? STRAY_MS : 0)
      await putInLine(tx, { ...forwarded.place, sessionId: id }, settledInMs)
    }
    await engine.forget(tx, mindKey, seq)
  },
  async forgetMind(tx, mindKey) {
    const forwarded = await forwardingOf(tx, mindKey)
    if (forwarded) {
      const { workspaceId, serverUrl } = forwarded.place
      const ofMind = tx.deleteFrom('honchoRemoval').where('workspaceId', '=', workspaceId)
      await ofMind.where('serverUrl', '=', serverUrl).execute()
      // A question that is being answered would make the workspace anew.
      const settledInMs = Math.max(forwarded.leaseMs, STRAY_MS)
      await putInLine(tx, { ...forwarded.place, sessionId: '' }, settledInMs)
    }
    await engine.forgetMind(tx, mindKey)
  }
})

/** Nothing where none ever began. Until this transaction ends no run begins; a later one finds nothing of what goes. */
async function forwardingOf(tx: WriteHandle, mindKey: number) {
  const job = await changeWhere(tx, 'mindJob', { kind: 'forward', mindKey })
    // Writing a column to itself is the row lock that both databases know.
    .set((eb) => ({ waiting: eb.ref('waiting') }))
    .returning(['madeWith', 'isUnsure', 'leaseExpiresAt'])
    .executeTakeFirst()
  if (!job?.madeWith) return undefined
  const mind = tx.selectFrom('mind').where('key', '=', mindKey).select('id')
  const { id: workspaceId } = await mind.executeTakeFirstOrThrow()
  // How long a run can still be sending.
  const leaseMs = job.leaseExpiresAt ? Math.max(0, Date.parse(job.leaseExpiresAt) - Date.now()) : 0
  return { place: { serverUrl: job.madeWith, workspaceId }, isUnsure: job.isUnsure === 1, leaseMs }
}

/** Due at once; nothing of it can get there any more after `settledInMs`. */
export async function putInLine(tx: WriteHandle, place: RemovalPlace, settledInMs: number): Promise<void> {
  const due = { dueAt: now(), settledAt: fromNow(settledInMs), leaseOwner: null }
  await tx
    .insertInto('honchoRemoval')
    .values({ ...place, ...due, attempts: 0, lastError: null, createdAt: now() })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'sessionId', 'serverUrl']).doUpdateSet(due))
    .execute()
}

export async function awaitsRemoval(db: ReadHandle, mindId: string, serverUrl: string): Promise<boolean> {
  const ofMind = db.selectFrom('honchoRemoval').where('workspaceId', '=', mindId)
  const first = ofMind.where('serverUrl', '=', serverUrl).select('sessionId').limit(1)
  return (await first.executeTakeFirst()) !== undefined
}

/** How many removals wait, and the last error of those; by the Honcho at which they are due. */
export const waitingRemovals = (db: ReadHandle) =>
  db
    .selectFrom('honchoRemoval')
    .groupBy('serverUrl')
    .select((eb) => [
      'serverUrl',
      eb.fn.countAll<number>().as('count'),
      eb.fn.max('lastError').as('lastError')
    ])
    .orderBy('serverUrl')
    .execute()

const LOOK_MS = 2_000
const DEADLINE_MS = MINUTE_MS
/** Longer than the deadline and its transaction take. */
const LEASE_MS = 2 * MINUTE_MS
const STEP_MS = 1_000
const BACKOFF = { firstMs: 15_000, longestMs: HOUR_MS }

interface RemovalDeps {
  database: Database
  log: Log
  honcho: Honcho
  lookMs?: number
  stepMs?: number
}

/** Starts deleting at Honcho; nothing of it runs after `stop` has resolved. */
export function startRemovals({ lookMs = LOOK_MS, ...deps }: RemovalDeps) {
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
  lease: Lease<'honchoRemoval'>
): Promise<void> {
  const removal = lease.row
  const startedAt = now()
  const letGo = (columns: Partial<Removal>) => database.transaction((tx) => lease.letGo(tx, columns))
  try {
    const limits = { timeoutMs: DEADLINE_MS, signals: [lease.signal] }
    const isGone = await withDeadline(limits, (signal) => {
      const mind = honcho.mind(removal.workspaceId, { signal })
      return removal.sessionId === '' ? removeMind(mind) : removeMemory(mind, removal.sessionId)
    })
    if (isGone && removal.settledAt <= startedAt)
      return await database.transaction((tx) => deleteRow(tx, removal))
    // Honcho deletes in its own background.
    const dueAt = isGone ? earlier(removal.settledAt, fromNow(HOUR_MS)) : fromNow(stepMs)
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
  await deleteWhere(tx, 'honchoRemoval', { workspaceId, sessionId, serverUrl, leaseOwner }).execute()
}

/** Also what Honcho concluded from several memories, for it doesn't say which. Tells whether nothing is left to do. */
async function removeMemory(mind: HonchoMind, sessionId: string) {
  await mind.removeSession(sessionId)
  const conclusions = await mind.drawnConclusions()
  for (const id of conclusions) await mind.removeConclusion(id)
  if (conclusions.length > 0) return false
  const card = await mind.card()
  // Writing it would make a workspace that isn't there.
  if (card.length > 0) await mind.emptyCard()
  return true
}

/** A Mind: Honcho deletes a workspace only once it has no session. Tells whether nothing is left to do. */
async function removeMind(mind: HonchoMind) {
  const sessions = await mind.someSessions()
  for (const id of sessions) await mind.removeSession(id)
  if (sessions.length > 0) return false
  try {
    await mind.removeWorkspace()
    return true
  } catch (error) {
    // A session came in between.
    if (error instanceof UpstreamError && error.status === 409) return false
    throw error
  }
}

declare module '../../database/tables.ts' {
  interface Tables {
    /** To be deleted at Honcho. It stands apart from the Mind, which may be gone. */
    honchoRemoval: {
      serverUrl: string
      /** The Mind's id. */
      workspaceId: string
      /** The memory's id; '' for all of the Mind. */
      sessionId: string
      dueAt: string
      leaseOwner: string | null
      /** Until then it might still get there, by a call that is under way: deleted before, it is deleted once more. */
      settledAt: string
      /** Failures in a row. */
      attempts: number
      lastError: string | null
      createdAt: string
    }
  }
}
