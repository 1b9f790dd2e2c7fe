// Answers that are kept for a repeated Idempotency-Key quote memories: with a memory goes every answer that names it, or
// may stand on it without naming it.
import { z } from 'zod'
import { answersByModel } from '../credits/kept-answers.ts'
import type { WriteHandle } from '../database/database.ts'

const PAGE = 200
const MEMORY_ID = /mem_[0-9a-z]+/g

interface Forgetting {
  partnerId: string
  /** Of which a memory is forgotten, or all of it; what was paid for it is still kept beside the reservations. */
  mindId: string
  /** Those of the memories that are forgotten. */
  forgottenOf(memoryIds: string[]): Promise<readonly string[]>
}

/** Removes the partner's kept answers that name what is forgotten, and those that a model wrote about that Mind. */
export async function forgetKeptAnswers(
  tx: WriteHandle,
  { partnerId, mindId, forgottenOf }: Forgetting
): Promise<void> {
  const written = new Set((await answersByModel(tx, mindId)).map(textOf))
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
    const kept = page.map(({ key, answer }) => ({ key, answer, ids: answer.match(MEMORY_ID) ?? [] }))
    const forgotten = new Set(await forgottenOf([...new Set(kept.flatMap(({ ids }) => ids))]))
    for (const { key, answer, ids } of kept) {
      const text = textOf(answer)
      const isOfMind = text !== undefined && written.has(text)
      if (isOfMind || ids.some((id) => forgotten.has(id))) await deleteAnswer(tx, partnerId, key)
    }
    last = page.at(-1)?.key ?? ''
    if (page.length < PAGE) return
  }
}

const Kept = z.object({ answer: z.string(), model: z.string() })

/** What the model wrote; nothing of an answer by none, or that is still worked on. */
const textOf = (answer: string): string | undefined => Kept.safeParse(JSON.parse(answer)).data?.answer

async function deleteAnswer(tx: WriteHandle, partnerId: string, key: string): Promise<void> {
  await tx
    .deleteFrom('idempotency')
    .where('partnerId', '=', partnerId)
    .where('operation', '=', 'memory_ask')
    .where('key', '=', key)
    .execute()
}
