// The answers that were paid for, kept beside their reservations for a day, and no longer than the memories in them.
import { sql } from 'kysely'
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'

const KEPT_MS = DAY_MS

/** Erases a batch of the Mind's kept answers; how many there were. */
export async function forgetAnswersOfMind(tx: WriteHandle, mindId: string, batch: number) {
  const kept = tx
    .selectFrom('creditReservation')
    .where('mindId', '=', mindId)
    .where('answer', 'is not', null)
    .select('id')
    .limit(batch)
  const erasing = tx.updateTable('creditReservation').set(erased()).where('id', 'in', kept)
  const { numUpdatedRows } = await erasing.executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Erases the Mind's kept answers that cite the memory, or may stand on it without a word of it. */
export async function forgetAnswersWith(tx: WriteHandle, mindId: string, memoryId: string): Promise<void> {
  await tx
    .updateTable('creditReservation')
    .set(erased())
    .where('mindId', '=', mindId)
    .where('answer', 'is not', null)
    .where(maySpeakOf(memoryId))
    .execute()
}

/** Whether an answer cites the memory or was written by a model: then it may stand on more than it cites. */
export const maySpeakOf = (memoryId: string) =>
  // An underscore of the id stands for any character: at worst an answer too many goes. And as it stands there is the
  // model's name written by us: within a text its quotes would be escaped.
  sql<boolean>`("answer" like ${`%${memoryId}%`} or "answer" like '%"model":"%')`

/** Erases a batch of answers that are older than a day; how many there were. */
export async function eraseOldAnswers(tx: WriteHandle, batch: number): Promise<number> {
  const old = await tx
    .selectFrom('creditReservation')
    .where('answer', 'is not', null)
    .where('settledAt', '<=', fromNow(-KEPT_MS))
    .select('id')
    .orderBy('settledAt')
    .limit(batch)
    .execute()
  for (const { id } of old) {
    await tx.updateTable('creditReservation').set(erased()).where('id', '=', id).execute()
  }
  return old.length
}

const erased = () => ({ answer: null, answerErasedAt: now() })
