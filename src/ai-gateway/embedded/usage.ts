import type { AgentUsage } from '../../../schemas/ai-gateway.ts'
import { daysAfter } from '../../billing/calendar.ts'
import type { ReadHandle } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { fromMicros, toMicros } from '../../money.ts'
import { inSlices } from '../../slices.ts'
import type { AiGatewaySettings } from '../variables.ts'

/**
 * What the agent on one server used of models on these days (UTC). By the instance's keys alone, which are its partner's:
 * each finds its calls of a day in an index, and neither those of other servers nor those of other days are read.
 */
export async function agentUsageOn(
  db: ReadHandle,
  instance: Pick<Tables['instance'], 'id'>,
  days: readonly string[],
  settings: AiGatewaySettings
): Promise<AgentUsage> {
  const prices = settings.kind === 'embedded' ? settings.prices : undefined
  const keys = db.selectFrom('aiKey').where('instanceId', '=', instance.id).select('id')
  const used: AgentUsage['days'] = []
  const pause = inSlices()
  for (const day of days) {
    const rows = await db
      .selectFrom('aiUsage')
      .where('keyId', 'in', keys)
      .where('createdAt', '>=', day)
      .where('createdAt', '<', daysAfter(day, 1))
      .groupBy('model')
      .orderBy('model')
      .select(({ fn, lit }) => [
        'model',
        fn.countAll<number>().as('calls'),
        fn.countAll<number>().filterWhere('status', '<>', 200).as('failed'),
        fn.coalesce(fn.sum<number>('promptTokens'), lit(0)).as('inputTokens'),
        fn.coalesce(fn.sum<number>('completionTokens'), lit(0)).as('outputTokens'),
        fn.countAll<number>().filterWhere('completionTokens', 'is', null).as('untold')
      ])
      .execute()
    const models = rows.map((row) => {
      const [input, output = 0] = prices?.get(row.model) ?? []
      // Dollars of a million tokens are millionths of one.
      const micros = (price: number) => Math.round(row.inputTokens * price + row.outputTokens * output)
      return { ...row, cost: input === undefined ? null : fromMicros(micros(input)) }
    })
    used.push({ day, ...together(models), models })
    await pause()
  }
  return { isMetered: prices !== undefined, total: together(used), days: used }
}

/** A cost of which a part isn't known isn't, either. */
function together(all: readonly AgentUsage['total'][]): AgentUsage['total'] {
  const sumOf = (figure: keyof AgentUsage['total']) => all.reduce((sum, one) => sum + (one[figure] ?? 0), 0)
  return {
    calls: sumOf('calls'),
    failed: sumOf('failed'),
    inputTokens: sumOf('inputTokens'),
    outputTokens: sumOf('outputTokens'),
    untold: sumOf('untold'),
    cost: all.some(({ cost }) => cost === null) ? null : fromMicros(toMicros(sumOf('cost')))
  }
}
