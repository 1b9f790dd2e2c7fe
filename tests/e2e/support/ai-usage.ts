// A month of what the agent on a server used of models.
import { insertAiKey } from '../../../src/ai-gateway/embedded/store.ts'
import { DAY_MS, fromNow } from '../../../src/clock.ts'
import type { Service } from '../../../src/service.ts'

export async function seedAiUsage(
  { database }: Service,
  { partnerId, customerId, instanceId }: Record<'partnerId' | 'customerId' | 'instanceId', string>
): Promise<void> {
  await database.transaction(async (tx) => {
    await insertAiKey(tx, { partnerId, instanceId, alias: `seeded-${instanceId}` }, 'sk-seeded')
    const { id: keyId } = await tx
      .selectFrom('aiKey')
      .where('instanceId', '=', instanceId)
      .select('id')
      .executeTakeFirstOrThrow()
    for (let day = 0; day < 40; day += 1) {
      const wave = (day * 37) % 11
      await tx
        .insertInto('aiUsage')
        .values({
          ...{ id: `aiu_seeded_${day}`, partnerId, customerId, instanceId, keyId, model: 'gpt-5-mini' },
          ...{ promptTokens: 40_000 + wave * 9_000, completionTokens: 900 + wave * 150 },
          ...{ durationMs: 4_000, status: day === 5 ? 499 : 200, createdAt: fromNow(-day * DAY_MS) }
        })
        .execute()
    }
  })
}
