// The work behind each Mind as it is kept: what waits for it, how far it is, and what it gave up on.
import { type Expression, type Selectable, sql } from 'kysely'
import { earlier, now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import { changeWhere, deleteWhere, rowsWhere } from '../../database/known.ts'
import type { Flag, Tables } from '../../database/tables.ts'
import type { MindJobKind, MindWork } from './work.ts'

export type MindJob = Selectable<Tables['mindJob']>
type JobKey = Pick<MindJob, 'kind' | 'mindKey'>

/** The Minds of one partner or of one customer; all of them where both are left out. */
export interface MindScope {
  partnerId?: string | undefined
  customerId?: string | undefined
}

export const mindsIn = (db: ReadHandle, { partnerId, customerId }: MindScope) =>
  db
    .selectFrom('mind')
    .$if(partnerId !== undefined, (query) => query.where('partnerId', '=', partnerId ?? ''))
    .$if(customerId !== undefined, (query) => query.where('customerId', '=', customerId ?? ''))
    .select('key')

const batchColumns = [
  'memory.seq',
  'memory.id',
  'turn',
  'content',
  'author',
  'language',
  'occurredAt',
  'createdAt'
] as const

/** What waits behind the watermark, in the order of telling. */
export const memoriesBehind = (db: ReadHandle, mindKey: number, watermark: number, count: number) =>
  rowsWhere(db, 'memory', { mindKey })
    .where('seq', '>', watermark)
    .select(batchColumns)
    .orderBy('seq')
    .limit(count)
    .execute()

/** A memory that was given up on and is to be tried again. */
export const queuedFailure = (db: ReadHandle, { kind, mindKey }: JobKey) =>
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

export async function keptSeqs(db: ReadHandle, mindKey: number, seqs: readonly number[]) {
  if (seqs.length === 0) return new Set<number>()
  const rows = await rowsWhere(db, 'memory', { mindKey }).where('seq', 'in', seqs).select('seq').execute()
  return new Set(rows.map(({ seq }) => seq))
}

/** Keeps the Mind as it is until the transaction ends; `undefined` when it was forgotten. */
export const lockMindByKey = (tx: WriteHandle, mindKey: number): Promise<{ nextSeq: number } | undefined> =>
  changeWhere(tx, 'mind', { key: mindKey })
    .set((eb) => ({ nextSeq: eb.ref('nextSeq') }))
    .returning('nextSeq')
    .executeTakeFirst()

export async function setWaiting(tx: WriteHandle, work: MindWork, mindKey: number, watermark: number) {
  const job = { kind: work.kind, mindKey }
  const { count, since } = await rowsWhere(tx, 'memory', { mindKey })
    .where('seq', '>', watermark)
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('createdAt').as('since')])
    .executeTakeFirstOrThrow()
  const retried = (await queuedFailure(tx, job)) ? 1 : 0
  const waiting = count + retried
  // By a clock that ran ahead it may not have come yet.
  const waitingSince = waiting > 0 ? earlier(since ?? now(), now()) : null
  const isDue = retried === 1 || count >= work.dueAfter
  const dueAt =
    waitingSince && (isDue ? now() : new Date(Date.parse(waitingSince) + work.maxAgeMs).toISOString())
  await changeWhere(tx, 'mindJob', job).set({ waiting, waitingSince, dueAt }).execute()
}

/** The dead letters: memories that a kind of work gave up on. They can be tried again. */
export async function putAside(
  tx: WriteHandle,
  { kind, mindKey, seq }: JobKey & { seq: number },
  error: string
): Promise<void> {
  const failure = { error, isQueued: 0 } as const
  await tx
    .insertInto('mindJobFailure')
    .values({ kind, mindKey, seq, ...failure })
    .onConflict((conflict) => conflict.columns(['mindKey', 'kind', 'seq']).doUpdateSet(failure))
    .execute()
}

/** They were done after all: these, or all of them, because the work begins anew. */
export async function takeBack(tx: WriteHandle, { kind, mindKey }: JobKey, seqs?: readonly number[]) {
  if (seqs?.length === 0) return
  await deleteWhere(tx, 'mindJobFailure', { mindKey, kind })
    .$if(seqs !== undefined, (query) => query.where('seq', 'in', seqs ?? []))
    .execute()
}

export async function forgetFailures(tx: WriteHandle, mindKey: number, seq: number): Promise<void> {
  await tx.deleteFrom('mindJobFailure').where('mindKey', '=', mindKey).where('seq', '=', seq).execute()
}

/** Puts the dead letters of Minds back in line, and what waits for its next attempt; tells how many letters there were. */
export async function requeueFailures(
  tx: WriteHandle,
  minds: Expression<unknown> | number,
  kind?: MindJobKind
): Promise<number> {
  const ofMinds = sql<boolean>`"mindKey" in (${minds})${kind ? sql` and "kind" = ${kind}` : sql``}`
  const failures = tx.updateTable('mindJobFailure').set({ isQueued: 1 }).where(ofMinds)
  const { numUpdatedRows } = await failures.executeTakeFirstOrThrow()
  await tx
    .updateTable('mindJob')
    .set((eb) => ({
      dueAt: now(),
      attempts: 0,
      refusals: 0,
      waitingSince: eb.fn.coalesce('waitingSince', eb.val(now()))
    }))
    .where(ofMinds)
    .where(
      sql<boolean>`("attempts" > 0 or exists (select 1 from "mindJobFailure" "failure"
        where "failure"."mindKey" = "mindJob"."mindKey" and "failure"."kind" = "mindJob"."kind"))`
    )
    .execute()
  return Number(numUpdatedRows)
}

/** How far each kind of work is behind one Mind, or behind all of them together. */
export async function jobStates(db: ReadHandle, mindKey?: number) {
  const jobs = await db
    .selectFrom('mindJob')
    .$if(mindKey !== undefined, (query) => query.where('mindKey', '=', mindKey ?? 0))
    .groupBy('kind')
    .select((eb) => [
      'kind',
      eb.fn.max('lastDoneAt').as('lastDoneAt'),
      eb.fn.sum<number>('waiting').as('waiting'),
      eb.fn.min('waitingSince').as('waitingSince'),
      // Work that didn't fail comes up by itself.
      eb.fn.min(eb.case().when('attempts', '>', 0).then(eb.ref('dueAt')).end()).as('nextAttemptAt'),
      eb.fn.sum<number>('failures').as('failures'),
      eb.fn.max('lastError').as('lastError')
    ])
    .execute()
  const letters = await rowsWhere(db, 'mindJobFailure', { isQueued: 0 })
    .$if(mindKey !== undefined, (query) => query.where('mindKey', '=', mindKey ?? 0))
    .groupBy('kind')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .execute()
  const putAside = new Map(letters.map(({ kind, count }) => [kind, count]))
  return jobs.map((job) => ({ ...job, putAside: putAside.get(job.kind) ?? 0 }))
}

declare module '../../database/tables.ts' {
  interface Tables {
    mindJob: {
      kind: MindJobKind
      mindKey: number
      /** The `seq` up to which everything is done. */
      watermark: number
      /** How many memories wait, about: forgotten ones are counted until the next run. */
      waiting: number
      /** When the oldest of them was stored; null when none waits. */
      waitingSince: string | null
      /** When the next run is due; null when nothing waits. */
      dueAt: string | null
      /** Failures in a row, whatever they were. */
      attempts: number
      /** Those of them that were held against the memories. */
      refusals: number
      /** Of all time. */
      failures: number
      /** Whether a run began and nobody knows how it ended. */
      isUnsure: Flag
      leaseOwner: string | null
      leaseExpiresAt: string | null
      lastDoneAt: string | null
      /** What the last failed run failed with, in our words; null after a success. */
      lastError: string | null
      /** What the work was done with, such as the embedding model's name: with another one it is done anew. */
      madeWith: string | null
    }
    /** A memory that work gave up on. The watermark has passed it: nothing behind it waits. */
    mindJobFailure: {
      kind: MindJobKind
      mindKey: number
      seq: number
      /** In our words. */
      error: string
      /** To be tried again. */
      isQueued: Flag
    }
  }
}
