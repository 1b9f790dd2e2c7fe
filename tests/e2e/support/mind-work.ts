// Work that was done behind a Mind, as a model and a gateway that is away would have left it.
import { fromNow, HOUR_MS, MINUTE_MS } from '../../../src/clock.ts'
import { recordUsage } from '../../../src/llm/usage.ts'
import type { Service } from '../../../src/service.ts'

export async function seedMindWork({ database }: Service, mindId: string): Promise<void> {
  await database.transaction(async (tx) => {
    const { key: mindKey } = await tx
      .selectFrom('mind')
      .where('id', '=', mindId)
      .select('key')
      .executeTakeFirstOrThrow()
    const job = { mindKey, watermark: 1, refusals: 0, isUnsure: 0 as const, madeWith: null }
    await tx
      .insertInto('mindJob')
      .values([
        {
          ...{ ...job, kind: 'consolidate', waiting: 3, waitingSince: fromNow(-5 * HOUR_MS) },
          ...{ dueAt: fromNow(20 * MINUTE_MS), attempts: 4, failures: 12, lastDoneAt: fromNow(-6 * HOUR_MS) },
          lastError: 'The model’s gateway can’t be reached.'
        },
        {
          ...{ ...job, kind: 'embed', waiting: 0, waitingSince: null, dueAt: null },
          ...{ attempts: 0, failures: 0, lastDoneAt: fromNow(-2 * MINUTE_MS), lastError: null }
        }
      ])
      .execute()
    await recordUsage(tx, mindKey, [
      { purpose: 'consolidate', calls: 14, inputTokens: 61_234, outputTokens: 4_821, costMicros: 231_500 },
      { purpose: 'ask', calls: 3, inputTokens: 9_123, outputTokens: 402, costMicros: 30_100 }
    ])
  })
}
