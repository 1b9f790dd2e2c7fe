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

const SUMS = ['calls', 'inputTokens', 'outputTokens', 'costMicros'] as const

/** Both together, for the purpose of the first. */
export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  const sum = { ...a }
  for (const name of SUMS) sum[name] += b[name]
  return sum
}

export async function recordUsage(tx: WriteHandle, mindKey: number, usages: readonly ModelUsage[]) {
  const day = now().slice(0, 10)
  for (const usage of usages) {
    if (usage.calls === 0) continue
    await tx
      .insertInto('modelUsage')
      .values({ mindKey, day, ...usage })
      .onConflict((conflict) =>
        conflict.columns(['mindKey', 'day', 'purpose']).doUpdateSet((eb) => {
          const added = SUMS.map((name) => [name, eb(`modelUsage.${name}`, '+', eb.ref(`excluded.${name}`))])
          return Object.fromEntries(added)
        })
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
    .select('purpose')
    .select((eb) => SUMS.map((name) => eb.fn.sum<number>(name).as(name)))
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
