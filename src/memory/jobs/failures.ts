// The dead letters: memories that a kind of work gave up on. Nothing is lost by it, and they can be tried again.
import { type Expression, sql } from 'kysely'
import { now } from '../../clock.ts'
import type { WriteHandle } from '../../database/database.ts'
import type { MindJobKind } from '../../database/mind-job-tables.ts'

interface Place {
  kind: MindJobKind
  mindKey: number
  seq: number
}

export async function putAside(tx: WriteHandle, { kind, mindKey, seq }: Place, error: string): Promise<void> {
  await tx
    .insertInto('mindJobFailure')
    .values({ kind, mindKey, seq, error, isQueued: 0, failedAt: now() })
    .onConflict((conflict) =>
      conflict.columns(['mindKey', 'kind', 'seq']).doUpdateSet({ error, isQueued: 0, failedAt: now() })
    )
    .execute()
}

export async function takeBack(
  tx: WriteHandle,
  { kind, mindKey }: Omit<Place, 'seq'>,
  seqs: readonly number[]
): Promise<void> {
  if (seqs.length === 0) return
  await tx
    .deleteFrom('mindJobFailure')
    .where('mindKey', '=', mindKey)
    .where('kind', '=', kind)
    .where('seq', 'in', seqs)
    .execute()
}

/** Work that is done anew comes to all of them again. */
export async function forgetAllFailures(
  tx: WriteHandle,
  { kind, mindKey }: Omit<Place, 'seq'>
): Promise<void> {
  await tx.deleteFrom('mindJobFailure').where('mindKey', '=', mindKey).where('kind', '=', kind).execute()
}

/** A forgotten memory leaves nothing behind. */
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
  const { numUpdatedRows } = await tx
    .updateTable('mindJobFailure')
    .set({ isQueued: 1 })
    .where(ofMinds)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('mindJob')
    .set((eb) => ({
      ...{ dueAt: now(), attempts: 0, refusals: 0 },
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
