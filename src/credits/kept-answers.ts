// The answers that were paid for, kept beside their reservations for a day, and no longer than the memories in them.
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'

const KEPT_MS = DAY_MS

/** Erases the Mind's kept answers. */
export async function forgetAnswersOfMind(tx: WriteHandle, mindId: string): Promise<void> {
  await tx
    .updateTable('creditReservation')
    .set(erased())
    .where('mindId', '=', mindId)
    .where('answer', 'is not', null)
    .execute()
}

/** Erases the Mind's kept answers that cite the memory. */
export async function forgetAnswersWith(tx: WriteHandle, mindId: string, memoryId: string): Promise<void> {
  await tx
    .updateTable('creditReservation')
    .set(erased())
    .where('mindId', '=', mindId)
    .where('answer', 'is not', null)
    // An underscore of the id stands for any character: at worst an answer too many is erased.
    .where('answer', 'like', `%${memoryId}%`)
    .execute()
}

/** Erases a batch of answers that are older than a day; how many there were. */
export async function eraseOldAnswers(tx: WriteHandle, batch: number): Promise<number> {
  const old = await tx
    .selectFrom('creditReservation')
    .where('answer', 'is not', null)
    .where('settledAt', '<=', fromNow(-KEPT_MS))
    .select('id')
    .limit(batch)
    .execute()
  for (const { id } of old) {
    await tx.updateTable('creditReservation').set(erased()).where('id', '=', id).execute()
  }
  return old.length
}

const erased = () => ({ answer: null, answerErasedAt: now() })
