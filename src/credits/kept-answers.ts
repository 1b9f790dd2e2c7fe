// The answers that were paid for, kept beside their reservations for a day, and no longer than the memories in them.
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'

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

/** As it stands in an answer that a model wrote: within a text its quotes would be escaped. */
const BY_MODEL = '%"model":"%'

/** The Mind's kept answers that a model wrote: they may stand on more than they cite, and some cite nothing. */
export async function answersByModel(db: ReadHandle, mindId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('creditReservation')
    .where('mindId', '=', mindId)
    .where('answer', 'like', BY_MODEL)
    .select('answer')
    .execute()
  return rows.flatMap(({ answer }) => answer ?? [])
}

/** Erases the Mind's kept answers that cite the memory, or may stand on it without a word of it. */
export async function forgetAnswersWith(tx: WriteHandle, mindId: string, memoryId: string): Promise<void> {
  await tx
    .updateTable('creditReservation')
    .set(erased())
    .where('mindId', '=', mindId)
    .where('answer', 'is not', null)
    // An underscore of the id stands for any character: at worst an answer too many is erased.
    .where((eb) => eb.or([eb('answer', 'like', `%${memoryId}%`), eb('answer', 'like', BY_MODEL)]))
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
