// What calls took, cost and are charged by day and by customer, from sums that were kept as they came.
import type { z } from 'zod'
import type { Unattributed, Usage } from '../../schemas/usage.ts'
import { SUMS_OF_DAY } from '../calls/store.ts'
import { nameOf } from '../customers/name.ts'
import type { ReadHandle } from '../database/database.ts'
import { fromMicros } from '../money.ts'
import { isAgentOf } from '../voice-agents/store.ts'
import { agentOf, amountOf, REACH } from './calls.ts'
import type { Sight } from './span.ts'

const SHOWN_CUSTOMERS = 50
const SHOWN_AGENTS = 100

/** @param customerId a record id of the partner's; all of its customers when left out */
export async function usageOn(
  db: ReadHandle,
  sight: Sight,
  days: readonly string[],
  customerId?: string
): Promise<z.output<typeof Usage>> {
  const { partnerId, timeZone, currency } = sight
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const within = db
    .selectFrom('callDay')
    // A customer that was erased is gone, also while a worker still deletes its calls.
    .innerJoin('customer', 'customer.id', 'callDay.customerId')
    .where('callDay.day', '>=', from)
    .where('callDay.day', '<=', to)
    .where(customerId ? 'callDay.customerId' : 'callDay.partnerId', '=', customerId ?? partnerId)
    .select(({ fn }) => SUMS_OF_DAY.map((column) => fn.sum<number>(column).as(column)))
  const byDay = await within.groupBy('callDay.day').select('callDay.day').execute()
  const summed = new Map(byDay.map(({ day, ...row }) => [day, row]))
  const result = {
    from,
    to,
    timeZone,
    currency,
    openAmount: fromMicros(await openMicros(db, partnerId, customerId)),
    total: sums(sight, byDay),
    days: days.map((day) => ({ day, ...sums(sight, [summed.get(day) ?? []].flat()) }))
  }
  if (customerId !== undefined) return result
  const byCustomer = await within
    .groupBy('customer.id')
    .select(['customer.id', 'companyName', 'firstName', 'lastName', 'email'])
    .orderBy('chargeMicros', 'desc')
    .orderBy('calls', 'desc')
    .orderBy('customer.id')
    .limit(SHOWN_CUSTOMERS)
    .execute()
  const customers = byCustomer.map((row) => ({ id: row.id, name: nameOf(row), ...sums(sight, [row]) }))
  return { ...result, customers }
}

type Summed = Record<(typeof SUMS_OF_DAY)[number], number>

/** Added up as whole numbers. */
function sums({ showsCosts, isPartner, currency }: Sight, rows: readonly Summed[]) {
  const sumOf = (field: keyof Summed) => rows.reduce((sum, row) => sum + row[field], 0)
  const [costMicros, chargeMicros] = [sumOf('costMicros'), sumOf('chargeMicros')]
  return {
    calls: sumOf('calls'),
    minutes: minutesOf(sumOf('durationMs')),
    charge: fromMicros(chargeMicros),
    ...(showsCosts && { cost: fromMicros(costMicros) }),
    ...(isPartner && currency === 'USD' && { margin: fromMicros(chargeMicros - costMicros) })
  }
}

/** To the hundredth. */
const minutesOf = (ms: number): number => Math.round(ms / 600) / 100

async function openMicros(db: ReadHandle, partnerId: string, customerId?: string): Promise<number> {
  const { micros } = await db
    .selectFrom('billingAccount')
    .where(customerId ? 'customerId' : 'partnerId', '=', customerId ?? partnerId)
    .select((eb) => eb.fn.sum<number | null>('balanceMicros').as('micros'))
    .executeTakeFirstOrThrow()
  return micros ?? 0
}

/** Of the newest calls that are nobody's: whose agents had them, most calls first. */
export async function unattributedByAgent(
  db: ReadHandle,
  partnerId: string
): Promise<z.output<typeof Unattributed>> {
  const newest = db
    .selectFrom('call')
    .where('partnerId', '=', partnerId)
    .where('customerId', 'is', null)
    .orderBy('endedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(REACH)
    .select(['partnerId', 'provider', 'agentId', 'endedAt', 'durationMs', 'costMicros'])
  const groups = await db
    .selectFrom(newest.as('recent'))
    .leftJoin('voiceAgent', (join) => join.on(isAgentOf('recent')))
    .groupBy(['recent.provider', 'recent.agentId', 'name', 'voiceAgent.customerId', 'multiplierMicros'])
    .select(['recent.provider', 'recent.agentId', 'name', 'voiceAgent.customerId', 'multiplierMicros'])
    .select(({ fn }) => [
      fn.countAll<number>().as('calls'),
      fn.sum<number>('recent.durationMs').as('durationMs'),
      fn.sum<number | null>('recent.costMicros').as('costMicros'),
      fn.min('recent.endedAt').as('since')
    ])
    .orderBy('calls', 'desc')
    .orderBy('recent.provider')
    .orderBy('recent.agentId')
    .limit(SHOWN_AGENTS)
    .execute()
  const counted = groups.reduce((sum, { calls }) => sum + calls, 0)
  const data = groups.map(({ agentId, name, durationMs, costMicros, multiplierMicros, ...group }) => ({
    ...group,
    agent: agentOf(agentId, name),
    multiplier: amountOf(multiplierMicros) ?? null,
    minutes: minutesOf(durationMs),
    cost: fromMicros(costMicros ?? 0)
  }))
  return { data, isCutOff: counted === REACH || groups.length === SHOWN_AGENTS }
}
