// Tokens that agents use, counted by month and day for their key, their customer and their partner.
import { DAY_MS } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import { known } from '../../database/known.ts'
import type { Tables } from '../../database/tables.ts'
import { findPartner } from '../../partners/store.ts'
import type { AiBudgets, AiGatewaySettings } from '../variables.ts'
import { AiFault } from './fault.ts'
import type { KeyOwner } from './store.ts'

type Level = 'KEY' | 'CUSTOMER' | 'PARTNER'
type Period = ReturnType<typeof periodsNow>[number]
type Counter = Omit<Tables['aiSpending'], 'tokens'> & { level: Level; name: Period['name'] }

/**
 * Counts the most that a call may use, before it is passed on; where that was counted.
 * @throws AiFault `insufficient_quota` when a budget has no room for it; the transaction must end with it
 */
export async function reserveTokens(
  tx: WriteHandle,
  { keyId, customerId, partnerId }: Omit<KeyOwner, 'instanceId'>,
  budgets: AiBudgets,
  tokens: number
) {
  // Everybody's order, so that none waits for another in a circle: what many share comes last in each period.
  const counters = periodsNow().flatMap((period): Counter[] => [
    { ...period, level: 'KEY', ownerId: keyId, customerId, partnerId },
    { ...period, level: 'CUSTOMER', ownerId: customerId, customerId, partnerId },
    { ...period, level: 'PARTNER', ownerId: partnerId, customerId: null, partnerId }
  ])
  for (const counter of counters) {
    const { level, name, ...row } = counter
    const room = (budgetOf(budgets, level, name) ?? Number.MAX_SAFE_INTEGER) - tokens
    // One statement, so that whoever comes second sees what the first one left.
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('aiSpending')
      .values({ ...row, tokens })
      .onConflict((conflict) =>
        conflict
          .columns(['ownerId', 'period'])
          .doUpdateSet((eb) => ({ tokens: eb('aiSpending.tokens', '+', tokens) }))
          .where('aiSpending.tokens', '<=', room)
      )
      .executeTakeFirstOrThrow()
    if (room < 0 || !numInsertedOrUpdatedRows) throw noRoom(counter, tokens)
  }
  return counters
}

/** Adds what a call used beyond what was reserved, mostly less than nothing, in the days and months of the latter. */
export async function settleTokens(tx: WriteHandle, counters: Counter[], beyond: number): Promise<void> {
  for (const { partnerId, ownerId, period } of counters)
    await tx
      .updateTable('aiSpending')
      .set((eb) => ({ tokens: eb('tokens', '+', beyond) }))
      .where((eb) => eb.and(known({ partnerId, ownerId, period })))
      .execute()
}

/** What that partner, or one customer of its, used today and this month, together and with each key that is alive. */
export async function readSpending(
  db: ReadHandle,
  settings: AiGatewaySettings,
  partnerId: string,
  customerId: string | undefined
) {
  const partner = await findPartner(db, partnerId)
  // A proxy has budgets of its own.
  const budgets = settings.kind === 'embedded' ? { ...settings.budgets, ...partner?.aiBudgets } : undefined
  const [month, day] = periodsNow()
  const rows = await db
    .selectFrom('aiSpending')
    .leftJoin('aiKey', 'aiKey.id', 'aiSpending.ownerId')
    .where('aiSpending.partnerId', '=', partnerId)
    .where('period', 'in', [month.period, day.period])
    .where((eb) => (customerId ? eb('customerId', '=', customerId) : eb('ownerId', '=', partnerId)))
    .where('aiKey.revokedAt', 'is', null)
    .select(['ownerId', 'period', 'tokens', 'instanceId'])
    .execute()
  const usage = (level: Level, ownerId: string) => {
    const used = ({ name, period, endsAt }: Period) => ({
      tokens: rows.find((row) => row.ownerId === ownerId && row.period === period)?.tokens ?? 0,
      budget: budgets ? budgetOf(budgets, level, name) : null,
      endsAt
    })
    return { today: used(day), month: used(month) }
  }
  const servers = rows.flatMap(({ ownerId, period, instanceId }) =>
    instanceId === null || period === day.period ? [] : [{ instanceId, ...usage('KEY', ownerId) }]
  )
  return { ...usage(customerId ? 'CUSTOMER' : 'PARTNER', customerId ?? partnerId), servers }
}

const budgetOf = (budgets: AiBudgets, level: Level, name: Period['name']): number | null =>
  budgets[`AI_${level}_TOKENS_PER_${name}`] || null

function periodsNow() {
  const iso = new Date().toISOString()
  const [month, day] = [iso.slice(0, 7), iso.slice(0, 10)]
  const nextMonth = new Date(month)
  nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1)
  return [
    { name: 'MONTH', period: month, endsAt: nextMonth.toISOString() },
    { name: 'DAY', period: day, endsAt: new Date(Date.parse(day) + DAY_MS).toISOString() }
  ] as const
}

/** OpenAI's word for a budget that is used up. How large it is isn't for the agent, who speaks to customers. */
function noRoom({ level, name, endsAt }: Counter, tokens: number): AiFault {
  const budget = `The token budget of this ${level.toLowerCase()} for this ${name.toLowerCase()}`
  const text = `${budget} has no room for a call that may use ${tokens}. It begins anew at ${endsAt}.`
  const retryAfterSeconds = Math.max(1, (Date.parse(endsAt) - Date.now()) / 1_000)
  return new AiFault(429, 'insufficient_quota', text, { retryAfterSeconds })
}

declare module '../../database/tables.ts' {
  interface Tables {
    /** Tokens of one key, customer or partner in one day or month; calls under way count with all that they may use. */
    aiSpending: {
      ownerId: string
      /** `2026-06-01` or `2026-06`, in UTC. */
      period: string
      partnerId: string
      /** `null` for the partner's own. */
      customerId: string | null
      tokens: number
      endsAt: string
    }
  }
}
