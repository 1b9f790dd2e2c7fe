// The dead letters: memories that a kind of work gave up on. They can be tried again.
import { type Expression, sql } from 'kysely'
import { now } from '../../clock.ts'
import type { WriteHandle } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import type { MindJobKind } from './table.ts'

type Job = Pick<Tables['mindJob'], 'kind' | 'mindKey'>

export async function putAside(
  tx: WriteHandle,
  { kind, mindKey, seq }: Job & { seq: number },
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
export async function takeBack(tx: WriteHandle, { kind, mindKey }: Job, seqs?: readonly number[]) {
  if (seqs?.length === 0) return
  await tx
    .deleteFrom('mindJobFailure')
    .where('mindKey', '=', mindKey)
    .where('kind', '=', kind)
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
