import type { Selectable } from 'kysely'
import { now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import { known } from '../../database/known.ts'
import type { Tables } from '../../database/tables.ts'
import type { MindWork } from './work.ts'

export type MindJob = Selectable<Tables['mindJob']>

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
  'content',
  'author',
  'language',
  'occurredAt',
  'createdAt'
] as const

/** What waits behind the watermark, in the order of telling. */
export const memoriesBehind = (db: ReadHandle, mindKey: number, watermark: number, count: number) =>
  db
    .selectFrom('memory')
    .where('mindKey', '=', mindKey)
    .where('seq', '>', watermark)
    .select(batchColumns)
    .orderBy('seq')
    .limit(count)
    .execute()

/** A memory that was given up on and is to be tried again. */
export const queuedFailure = (db: ReadHandle, { kind, mindKey }: Pick<MindJob, 'kind' | 'mindKey'>) =>
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

export async function setWaiting(tx: WriteHandle, work: MindWork, mindKey: number, watermark: number) {
  const job = { kind: work.kind, mindKey }
  const { count, since } = await tx
    .selectFrom('memory')
    .where('mindKey', '=', mindKey)
    .where('seq', '>', watermark)
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('createdAt').as('since')])
    .executeTakeFirstOrThrow()
  const retried = (await queuedFailure(tx, job)) ? 1 : 0
  const waiting = count + retried
  const waitingSince = waiting > 0 ? (since ?? now()) : null
  const isDue = retried === 1 || count >= work.dueAfter
  const dueAt =
    waitingSince && (isDue ? now() : new Date(Date.parse(waitingSince) + work.maxAgeMs).toISOString())
  await tx
    .updateTable('mindJob')
    .set({ waiting, waitingSince, dueAt })
    .where((eb) => eb.and(known(job)))
    .execute()
}
