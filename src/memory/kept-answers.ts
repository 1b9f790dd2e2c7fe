// Answers that are kept for a repeated Idempotency-Key quote memories: with a memory goes every answer that names it.
import type { WriteHandle } from '../database/database.ts'

const PAGE = 200
const MEMORY_ID = /mem_[0-9a-z]+/g

/** Removes the partner's kept answers whose memories are forgotten, as far as `forgottenOf` says so. */
export async function forgetKeptAnswers(
  tx: WriteHandle,
  partnerId: string,
  forgottenOf: (memoryIds: string[]) => Promise<readonly string[]>
): Promise<void> {
  let last = ''
  for (;;) {
    const page = await tx
      .selectFrom('idempotency')
      .where('partnerId', '=', partnerId)
      .where('operation', '=', 'memory_ask')
      .where('key', '>', last)
      .select(['key', 'answer'])
      .orderBy('key')
      .limit(PAGE)
      .execute()
    const idsOf = new Map(page.map(({ key, answer }) => [key, answer.match(MEMORY_ID) ?? []]))
    const forgotten = new Set(await forgottenOf([...new Set([...idsOf.values()].flat())]))
    for (const [key, ids] of idsOf) {
      if (ids.some((id) => forgotten.has(id))) await deleteAnswer(tx, partnerId, key)
    }
    last = page.at(-1)?.key ?? ''
    if (page.length < PAGE) return
  }
}

async function deleteAnswer(tx: WriteHandle, partnerId: string, key: string): Promise<void> {
  await tx
    .deleteFrom('idempotency')
    .where('partnerId', '=', partnerId)
    .where('operation', '=', 'memory_ask')
    .where('key', '=', key)
    .execute()
}
