// What calls are charged, by whose they are, and what follows from it: the days that count them, and lines on statements.
import { type Line, postLines } from '../billing/ledger.ts'
import { chargeOf } from '../billing/price.ts'
import { now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ofAccount, type ProviderAccount } from '../voice-agents/store.ts'
import { type CallRow, SUMS_OF_DAY } from './store.ts'

interface Telling {
  /** As it stands in the table, if it does. */
  kept: CallRow | undefined
  /** As it was told; whose it is and its charge are found here. */
  told: CallRow
}

/**
 * Prices calls by the periods of their agents, which are locked, and writes what differs: the calls, the days of their
 * customers, and a line for each difference. A call of a customer that was erased is nobody's any more, and not kept.
 */
export async function priceCalls(
  tx: WriteHandle,
  account: ProviderAccount,
  tellings: readonly Telling[],
  agents: ReadonlyMap<string, { name: string }>
): Promise<void> {
  const { partnerId } = account
  // PostgreSQL knows no empty list.
  const agentIds = [...agents.keys(), '']
  const ofAgents = tx
    .selectFrom('voiceAgentPeriod')
    .where(ofAccount(account))
    .where('agentId', 'in', agentIds)
  const periods = await ofAgents.selectAll().execute()
  const inserted: CallRow[] = []
  const days = new Map<string, Tables['callDay']>()
  const lines = new Map<string, Line[]>()
  for (const { kept, told } of tellings) {
    const { id, agentId, endedAt } = told
    const period = periods.find(
      (one) =>
        one.agentId === agentId && one.startsAt <= endedAt && (one.endsAt === null || endedAt < one.endsAt)
    )
    const next = period?.customerId === null ? undefined : pricedBy(told, period)
    if (kept && next && isSame(kept, next)) continue
    const description = agents.get(agentId ?? '')?.name ?? ''
    // Every line has a number of its own: nothing is owed twice, whatever is told again.
    let { revision } = told
    const changes = [
      { call: kept, sign: -1 },
      { call: next, sign: 1 }
    ]
    for (const { customerId, ...line } of differencesOf(changes)) {
      revision += 1
      const posted = lines.get(customerId) ?? []
      posted.push({ ...line, kind: 'call', description, reference: `${id}:${revision}` })
      lines.set(customerId, posted)
    }
    if (!kept) inserted.push(...(next ? [{ ...next, revision }] : []))
    else if (next) {
      const changed = { ...next, revision, updatedAt: now() }
      await tx.updateTable('call').set(changed).where('id', '=', id).execute()
    } else await tx.deleteFrom('call').where('id', '=', id).execute()
    for (const change of changes) count(days, change)
  }
  if (inserted.length > 0) await tx.insertInto('call').values(inserted).execute()
  if (days.size > 0) await addToDays(tx, days)
  for (const [customerId, posted] of inOrder(lines)) await postLines(tx, { partnerId, customerId }, posted)
}

/** The same order everywhere. No two keys are equal. */
function inOrder<T>(byKey: ReadonlyMap<string, T>): [string, T][] {
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))
}

function pricedBy(
  call: CallRow,
  {
    customerId = null,
    multiplierMicros = null
  }: Partial<Pick<CallRow, 'customerId' | 'multiplierMicros'>> = {}
): CallRow {
  const { costMicros } = call
  const isPriced = costMicros !== null && multiplierMicros !== null
  const chargeMicros = isPriced ? chargeOf(costMicros, multiplierMicros) : null
  return { ...call, customerId, multiplierMicros, chargeMicros }
}

const isSame = (kept: CallRow, next: CallRow): boolean =>
  Object.entries(next).every(([column, value]) => Reflect.get(kept, column) === value)

/** A call as it counted until now, and as it does from now on. */
interface Change {
  call: CallRow | undefined
  sign: number
}

/** What customers owe more or less; where a call moves to another one or month, the one gets back what it was. */
function differencesOf(changes: readonly Change[]) {
  const owed = new Map<
    string,
    { customerId: string; amountMicros: number; occurredAt: string; durationMs: number }
  >()
  for (const { call, sign } of changes) {
    if (!call?.customerId) continue
    const { customerId, day, endedAt: occurredAt, durationMs } = call
    const key = `${customerId} ${day.slice(0, 'yyyy-mm'.length)}`
    const amountMicros = (owed.get(key)?.amountMicros ?? 0) + sign * (call.chargeMicros ?? 0)
    owed.set(key, { customerId, amountMicros, occurredAt, durationMs })
  }
  return [...owed.values()].filter(({ amountMicros }) => amountMicros !== 0)
}

function count(days: Map<string, Tables['callDay']>, { call, sign }: Change): void {
  if (!call?.customerId) return
  const { partnerId, customerId, day, durationMs, costMicros, chargeMicros } = call
  const key = `${customerId} ${day}`
  const none = { calls: 0, durationMs: 0, costMicros: 0, chargeMicros: 0 }
  const sums = days.get(key) ?? { partnerId, customerId, day, ...none }
  const counted = { calls: 1, durationMs, costMicros: costMicros ?? 0, chargeMicros: chargeMicros ?? 0 }
  for (const sum of SUMS_OF_DAY) sums[sum] += sign * counted[sum]
  days.set(key, sums)
}

/** Each day once and in the same order everywhere, so that nobody waits in a circle. */
async function addToDays(tx: WriteHandle, days: ReadonlyMap<string, Tables['callDay']>): Promise<void> {
  await tx
    .insertInto('callDay')
    .values(inOrder(days).map(([, day]) => day))
    .onConflict((conflict) =>
      conflict.columns(['customerId', 'day']).doUpdateSet((eb) => {
        const added = SUMS_OF_DAY.map((sum) => [sum, eb(`callDay.${sum}`, '+', eb.ref(`excluded.${sum}`))])
        return Object.fromEntries(added)
      })
    )
    .execute()
}
