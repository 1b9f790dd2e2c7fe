// The rows of the work behind the Minds. A run holds its row by a lease; how a run ends is written in one transaction
// with what it made.
import type { Selectable } from 'kysely'
import { fromNow, now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import type { MindJobKind, MindJobTable } from '../../database/mind-job-tables.ts'
import { type MindScope, mindsIn } from './scope.ts'
import type { BatchMemory, MindWork } from './work.ts'

export type MindJob = Selectable<MindJobTable>

/** What is due of a kind and in nobody's hand, the longest due first; nothing of a forgotten Mind's. */
export async function dueJobs(
  db: ReadHandle,
  kind: MindJobKind,
  count: number,
  scope: MindScope = {}
): Promise<MindJob[]> {
  const at = now()
  const rows = await db
    .selectFrom('mindJob')
    .where('kind', '=', kind)
    .where('dueAt', '<=', at)
    .where((eb) => eb.or([eb('leaseExpiresAt', 'is', null), eb('leaseExpiresAt', '<=', at)]))
    .where('mindKey', 'in', mindsIn(db, scope))
    .selectAll()
    .orderBy('dueAt')
    .orderBy('mindKey')
    .limit(count)
    .execute()
  return rows
}

/** Takes the job if it is still as it was seen; `undefined` when somebody else was quicker. */
export const takeJob = (
  tx: WriteHandle,
  seen: MindJob,
  lease: { owner: string; ms: number }
): Promise<MindJob | undefined> =>
  tx
    .updateTable('mindJob')
    .set({ leaseOwner: lease.owner, leaseExpiresAt: fromNow(lease.ms), isUnsure: 1 })
    .where('kind', '=', seen.kind)
    .where('mindKey', '=', seen.mindKey)
    .where('watermark', '=', seen.watermark)
    .where('leaseOwner', seen.leaseOwner === null ? 'is' : '=', seen.leaseOwner)
    .where('leaseExpiresAt', seen.leaseExpiresAt === null ? 'is' : '=', seen.leaseExpiresAt)
    .returningAll()
    .executeTakeFirst()

const batchColumns = [
  'memory.seq',
  'memory.id',
  'content',
  'author',
  'language',
  'occurredAt',
  'createdAt'
] as const

/** What waits behind the watermark, in the order of telling. */
export const memoriesBehind = (
  db: ReadHandle,
  mindKey: number,
  watermark: number,
  count: number
): Promise<BatchMemory[]> =>
  db
    .selectFrom('memory')
    .where('mindKey', '=', mindKey)
    .where('seq', '>', watermark)
    .select(batchColumns)
    .orderBy('seq')
    .limit(count)
    .execute()

/** A memory that was given up on and is to be tried again. */
export const queuedFailure = (
  db: ReadHandle,
  { kind, mindKey }: Pick<MindJob, 'kind' | 'mindKey'>
): Promise<BatchMemory | undefined> =>
  db
    .selectFrom('mindJobFailure')
    .innerJoin('memory', (on) =>
      on.onRef('memory.mindKey', '=', 'mindJobFailure.mindKey').onRef('memory.seq', '=', 'mindJobFailure.seq')
    )
    .where('mindJobFailure.mindKey', '=', mindKey)
    .where('kind', '=', kind)
    .where('isQueued', '=', 1)
    .select(batchColumns)
    .orderBy('memory.seq')
    .executeTakeFirst()

/** Those of the places at which the Mind still has a memory. */
export async function keptSeqs(
  db: ReadHandle,
  mindKey: number,
  seqs: readonly number[]
): Promise<ReadonlySet<number>> {
  if (seqs.length === 0) return new Set()
  const rows = await db
    .selectFrom('memory')
    .where('mindKey', '=', mindKey)
    .where('seq', 'in', seqs)
    .select('seq')
    .execute()
  return new Set(rows.map(({ seq }) => seq))
}

/** Keeps the Mind as it is until the transaction ends; `undefined` when it was forgotten. */
export const lockMindByKey = (tx: WriteHandle, mindKey: number): Promise<{ nextSeq: number } | undefined> =>
  tx
    .updateTable('mind')
    .set((eb) => ({ nextSeq: eb.ref('nextSeq') }))
    .where('key', '=', mindKey)
    .returning('nextSeq')
    .executeTakeFirst()

type JobChange = Partial<Omit<MindJob, 'kind' | 'mindKey'>>

/** Changes the job while it is held by `owner` at the watermark where it was taken; whether it still was. */
export async function changeHeld(
  tx: WriteHandle,
  { kind, mindKey, watermark, leaseOwner }: MindJob,
  columns: JobChange
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('mindJob')
    .set({ leaseOwner: null, leaseExpiresAt: null, ...columns })
    .where('kind', '=', kind)
    .where('mindKey', '=', mindKey)
    .where('watermark', '=', watermark)
    .where('leaseOwner', '=', leaseOwner)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** What waits behind a watermark: how much, since when, and when it is due. */
export async function waitingBehind(
  db: ReadHandle,
  { kind, mindKey }: Pick<MindJob, 'kind' | 'mindKey'>,
  watermark: number,
  { dueAfter, maxAgeMs }: Pick<MindWork, 'dueAfter' | 'maxAgeMs'>
): Promise<Pick<MindJob, 'waiting' | 'waitingSince' | 'dueAt'>> {
  const behind = await db
    .selectFrom('memory')
    .where('mindKey', '=', mindKey)
    .where('seq', '>', watermark)
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('createdAt').as('since')])
    .executeTakeFirstOrThrow()
  if (await queuedFailure(db, { kind, mindKey })) {
    return { waiting: behind.count + 1, waitingSince: behind.since ?? now(), dueAt: now() }
  }
  if (behind.count === 0) return { waiting: 0, waitingSince: null, dueAt: null }
  const since = behind.since ?? now()
  const isDue = behind.count >= dueAfter
  const dueAt = isDue ? now() : new Date(Date.parse(since) + maxAgeMs).toISOString()
  return { waiting: behind.count, waitingSince: since, dueAt }
}
