// What calls are charged, by whose they are, and what follows from it: the days that count them, and lines on statements.
import { type Line, postLines } from '../billing/ledger.ts'
import { chargeOf } from '../billing/price.ts'
import { now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { ProviderAccount } from '../voice-agents/store.ts'
import { addToDays, type CallRow, findPeriods } from './store.ts'

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
  const periods = await findPeriods(tx, account, [...agents.keys()])
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
    for (const { customerId, ...line } of differenceOf(kept, next)) {
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
    if (kept) count(days, kept, -1)
    if (next) count(days, next, 1)
  }
  if (inserted.length > 0) await tx.insertInto('call').values(inserted).execute()
  await addToDays(
    tx,
    inOrder(days).map(([, day]) => day)
  )
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

/** What its customer owes more or less; where it moves to another customer or month, the one gets back what it was. */
function differenceOf(kept: CallRow | undefined, next: CallRow | undefined) {
  const stays = kept?.customerId === next?.customerId && monthOf(kept) === monthOf(next)
  const before = kept?.chargeMicros ?? 0
  const after = next?.chargeMicros ?? 0
  const changes = stays
    ? [{ call: next, amountMicros: after - before }]
    : [
        { call: kept, amountMicros: -before },
        { call: next, amountMicros: after }
      ]
  return changes.flatMap(({ call, amountMicros }) => {
    if (amountMicros === 0 || !call || call.customerId === null) return []
    const { customerId, endedAt: occurredAt, durationMs } = call
    return [{ customerId, amountMicros, occurredAt, durationMs }]
  })
}

const monthOf = (call: CallRow | undefined): string | undefined => call?.day.slice(0, 'yyyy-mm'.length)

const NOTHING = { calls: 0, durationMs: 0, costMicros: 0, chargeMicros: 0 }

function count(days: Map<string, Tables['callDay']>, call: CallRow, sign: 1 | -1): void {
  const { partnerId, customerId, day } = call
  if (customerId === null) return
  const key = `${customerId} ${day}`
  const sums = days.get(key) ?? { partnerId, customerId, day, ...NOTHING }
  days.set(key, {
    ...sums,
    calls: sums.calls + sign,
    durationMs: sums.durationMs + sign * call.durationMs,
    costMicros: sums.costMicros + sign * (call.costMicros ?? 0),
    chargeMicros: sums.chargeMicros + sign * (call.chargeMicros ?? 0)
  })
}
