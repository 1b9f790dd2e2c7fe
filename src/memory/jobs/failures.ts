// The dead letters: memories that a kind of work gave up on. Nothing is lost by it, and they can be tried again.
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

/** Puts a Mind's dead letters back in line, and what waits for its next attempt; tells how many letters there were. */
export async function requeueFailures(tx: WriteHandle, mindKey: number): Promise<number> {
  const rows = await tx
    .updateTable('mindJobFailure')
    .set({ isQueued: 1 })
    .where('mindKey', '=', mindKey)
    .returning('kind')
    .execute()
  const kinds = [...new Set(rows.map(({ kind }) => kind))]
  await tx
    .updateTable('mindJob')
    .set((eb) => ({
      dueAt: now(),
      attempts: 0,
      refusals: 0,
      waitingSince: eb.fn.coalesce('waitingSince', eb.val(now()))
    }))
    .where('mindKey', '=', mindKey)
    .where((eb) => eb.or([eb('attempts', '>', 0), ...(kinds.length > 0 ? [eb('kind', 'in', kinds)] : [])]))
    .execute()
  return rows.length
}
