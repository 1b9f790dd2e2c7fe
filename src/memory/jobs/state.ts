import type { ReadHandle } from '../../database/database.ts'
import type { MindJobKind } from './table.ts'

export type MindJobState = Awaited<ReturnType<typeof jobStatesOf>>[number]

export async function jobStatesOf(db: ReadHandle, mindKey: number) {
  const jobs = await db
    .selectFrom('mindJob')
    .where('mindKey', '=', mindKey)
    .select(['kind', 'lastDoneAt', 'waiting', 'waitingSince', 'dueAt', 'attempts', 'failures', 'lastError'])
    .execute()
  const putAside = await countPutAside(db, mindKey)
  return jobs.map(({ dueAt, attempts, ...job }) => ({
    ...job,
    // Work that didn't fail comes up by itself.
    nextAttemptAt: attempts > 0 ? dueAt : null,
    putAside: putAside(job.kind)
  }))
}

/** All Minds together: how many memories wait by kind of work, since when, what failed and what was given up on. */
export async function jobTotals(db: ReadHandle) {
  const jobs = await db
    .selectFrom('mindJob')
    .groupBy('kind')
    .select((eb) => [
      'kind',
      eb.fn.sum<number>('waiting').as('waiting'),
      eb.fn.min('waitingSince').as('waitingSince'),
      eb.fn.sum<number>('failures').as('failures')
    ])
    .execute()
  const putAside = await countPutAside(db)
  return jobs.map((job) => ({ ...job, putAside: putAside(job.kind) }))
}

async function countPutAside(db: ReadHandle, mindKey?: number): Promise<(kind: MindJobKind) => number> {
  const counts = await db
    .selectFrom('mindJobFailure')
    .where('isQueued', '=', 0)
    .$if(mindKey !== undefined, (query) => query.where('mindKey', '=', mindKey ?? 0))
    .groupBy('kind')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .execute()
  return (kind) => counts.find((one) => one.kind === kind)?.count ?? 0
}
