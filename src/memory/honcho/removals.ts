// What was forgotten here goes at Honcho, too: written down in the transaction that forgets it, whichever engine is on.
import type { Selectable } from 'kysely'
import { fromNow, MINUTE_MS, now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import type { MemoryEngine } from '../engine.ts'

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
  const job = await tx
    .updateTable('mindJob')
    // Writing a column to itself is the row lock that both databases know.
    .set((eb) => ({ waiting: eb.ref('waiting') }))
    .where('kind', '=', 'forward')
    .where('mindKey', '=', mindKey)
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
