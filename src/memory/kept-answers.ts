// Answers that are kept for a repeated Idempotency-Key quote memories: they go with them.
import { maySpeakOf } from '../credits/kept-answers.ts'
import type { WriteHandle } from '../database/database.ts'

/** Removes the kept answers that name the memory, and those that a model wrote about its Mind. */
export async function forgetKeptAnswersWith(
  tx: WriteHandle,
  mindId: string,
  memoryId: string
): Promise<void> {
  await tx.deleteFrom('idempotency').where('mindId', '=', mindId).where(maySpeakOf(memoryId)).execute()
}
