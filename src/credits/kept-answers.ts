// The answers that were paid for, kept beside their reservations for a day, and no longer than the memories in them.
import { sql } from 'kysely'
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import { changeSome, type Some } from '../jobs/deleter.ts'

const KEPT_MS = DAY_MS

/** Erases a batch of the Mind's kept answers; how many there were. */
export const forgetAnswersOfMind = (tx: WriteHandle, mindId: string, batch: number): Promise<number> =>
  eraseSome(tx, { where: sql`"mindId" = ${mindId}` }, batch)

/** Erases a batch of answers that are older than a day; how many there were. */
export const eraseOldAnswers = (tx: WriteHandle, batch: number): Promise<number> =>
  eraseSome(tx, { where: sql`"settledAt" <= ${fromNow(-KEPT_MS)}`, order: sql`order by "settledAt"` }, batch)

const eraseSome = (tx: WriteHandle, { where, order }: Pick<Some, 'where' | 'order'>, batch: number) =>
  changeSome(
    tx,
    {
      table: 'creditReservation',
      where: sql`"answer" is not null and ${where}`,
      order,
      change: sql`update "creditReservation" set "answer" = null, "answerErasedAt" = ${now()}`
    },
    batch
  )

/** Erases the Mind's kept answers that cite the memory, or may stand on it without a word of it. */
export async function forgetAnswersWith(tx: WriteHandle, mindId: string, memoryId: string): Promise<void> {
  await tx
    .updateTable('creditReservation')
    .set({ answer: null, answerErasedAt: now() })
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
