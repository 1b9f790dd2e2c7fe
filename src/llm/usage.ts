import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { ModelPurpose, ModelUsage } from './model.ts'

export const noUsage = (purpose: ModelPurpose): ModelUsage => ({
  purpose,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costMicros: 0
})

/** Both together, for the purpose of the first. */
export const addUsage = (a: ModelUsage, b: ModelUsage): ModelUsage => ({
  purpose: a.purpose,
  calls: a.calls + b.calls,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costMicros: a.costMicros + b.costMicros
})

export async function recordUsage(tx: WriteHandle, mindKey: number, usages: readonly ModelUsage[]) {
  const day = now().slice(0, 10)
  for (const usage of usages) {
    if (usage.calls === 0) continue
    await tx
      .insertInto('modelUsage')
      .values({ mindKey, day, ...usage })
      .onConflict((conflict) =>
        conflict.columns(['mindKey', 'day', 'purpose']).doUpdateSet((eb) => ({
          calls: eb('modelUsage.calls', '+', eb.ref('excluded.calls')),
          inputTokens: eb('modelUsage.inputTokens', '+', eb.ref('excluded.inputTokens')),
          outputTokens: eb('modelUsage.outputTokens', '+', eb.ref('excluded.outputTokens')),
          costMicros: eb('modelUsage.costMicros', '+', eb.ref('excluded.costMicros'))
        }))
      )
      .execute()
  }
}

export const usageOf = (db: ReadHandle, mindKey: number): Promise<ModelUsage[]> =>
  summed(db).where('mindKey', '=', mindKey).execute()

export const usageTotals = (db: ReadHandle): Promise<ModelUsage[]> => summed(db).execute()

const summed = (db: ReadHandle) =>
  db
    .selectFrom('modelUsage')
    .groupBy('purpose')
    .select((eb) => [
      'purpose',
      eb.fn.sum<number>('calls').as('calls'),
      eb.fn.sum<number>('inputTokens').as('inputTokens'),
      eb.fn.sum<number>('outputTokens').as('outputTokens'),
      eb.fn.sum<number>('costMicros').as('costMicros')
    ])
    .orderBy('purpose')

declare module '../database/tables.ts' {
  interface Tables {
    /** What models took for a Mind on one day (UTC). */
    modelUsage: ModelUsage & {
      mindKey: number
      /** `2026-05-03` */
      day: string
    }
  }
}
