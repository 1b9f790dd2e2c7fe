// What the agent on one server used of models, day by day, summed from its calls.
import type { AgentUsage } from '../../../schemas/ai-gateway.ts'
import { daysAfter } from '../../billing/calendar.ts'
import type { ReadHandle } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { fromMicros } from '../../money.ts'
import { inSlices } from '../../slices.ts'
import type { AiPrices } from '../variables.ts'

/**
 * By the instance's keys alone, which are its partner's: each finds its calls of a day in an index, and neither those of
 * other servers nor those of other days are read.
 *
 * @param days one after the other, in UTC
 */
export async function agentUsageOn(
  db: ReadHandle,
  instance: Pick<Tables['instance'], 'id'>,
  days: readonly string[],
  prices: AiPrices
): Promise<Omit<AgentUsage, 'isMetered'>> {
  const keys = db.selectFrom('aiKey').where('instanceId', '=', instance.id).select('id')
  const rows: Used[] = []
  const pause = inSlices()
  for (const day of days) {
    const used = await db
      .selectFrom('aiUsage')
      .where('keyId', 'in', keys)
      .where('createdAt', '>=', day)
      .where('createdAt', '<', daysAfter(day, 1))
      .groupBy('model')
      .orderBy('model')
      .select(({ fn, lit, or, eb }) => [
        'model',
        fn.countAll<number>().as('calls'),
        fn.countAll<number>().filterWhere('status', '<>', 200).as('failed'),
        fn
          .countAll<number>()
          .filterWhere(or([eb('promptTokens', 'is', null), eb('completionTokens', 'is', null)]))
          .as('untold'),
        fn.coalesce(fn.sum<number>('promptTokens'), lit(0)).as('inputTokens'),
        fn.coalesce(fn.sum<number>('completionTokens'), lit(0)).as('outputTokens')
      ])
      .execute()
    rows.push(...used.map((row) => ({ day, ...row, costMicros: costOf(row, prices) })))
    await pause()
  }
  const models = [...new Set(rows.map(({ model }) => model))].sort()
  return {
    from: days[0] ?? '',
    to: days.at(-1) ?? '',
    total: together(rows),
    models: models.map((model) => ({ model, ...together(rows.filter((row) => row.model === model)) })),
    days: rows.map((row) => ({ day: row.day, model: row.model, ...together([row]) }))
  }
}

type Figure = 'calls' | 'failed' | 'untold' | 'inputTokens' | 'outputTokens'

interface Used extends Record<Figure, number> {
  day: string
  model: string
  costMicros: number | null
}

/** A price of dollars for a million tokens is one of micro-dollars for one. */
function costOf({ model, inputTokens, outputTokens }: Omit<Used, 'day' | 'costMicros'>, prices: AiPrices) {
  const price = prices.get(model)
  return price ? Math.round(inputTokens * price.input + outputTokens * price.output) : null
}

/** Added up as whole numbers. A cost of which a part isn't known isn't, either. */
function together(rows: readonly Used[]) {
  const sumOf = (figure: Figure | 'costMicros') => rows.reduce((sum, row) => sum + (row[figure] ?? 0), 0)
  const told = rows.filter(({ calls, untold }) => untold < calls)
  const isKnown =
    (rows.length === 0 || told.length > 0) && told.every(({ costMicros }) => costMicros !== null)
  return {
    calls: sumOf('calls'),
    failed: sumOf('failed'),
    inputTokens: sumOf('inputTokens'),
    outputTokens: sumOf('outputTokens'),
    untold: sumOf('untold'),
    cost: isKnown ? fromMicros(sumOf('costMicros')) : null
  }
}
