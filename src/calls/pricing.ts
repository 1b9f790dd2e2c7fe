// What calls are charged, by whose they are, and what follows from it: the days that count them, and lines on statements.
import type { Provider } from '../../schemas/voice-agent.ts'
import { type Line, postLines } from '../billing/ledger.ts'
import { chargeOf } from '../billing/price.ts'
import type { WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { addToDays, type CallRow, deleteCall, insertCalls, periodsOf, updateCall } from './store.ts'

export interface Telling {
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
  partnerId: string,
  provider: Provider,
  tellings: readonly Telling[],
  agents: ReadonlyMap<string, { name: string }>
): Promise<void> {
  const periods = await periodsOf(tx, partnerId, provider, [...agents.keys()])
  const inserted: CallRow[] = []
  const days = new Map<string, Tables['callDay']>()
  const lines = new Map<string, Line[]>()
  for (const { kept, told } of tellings) {
    const { agentId, endedAt } = told
    const period = periods
      .get(agentId ?? '')
      ?.find(({ startsAt, endsAt }) => startsAt <= endedAt && (endsAt === null || endedAt < endsAt))
    const isKept = period?.customerId !== null
    const next = isKept ? pricedBy(told, period) : undefined
    const description = agents.get(agentId ?? '')?.name ?? ''
    // Every line has a number of its own: nothing is owed twice, whatever is told again.
    let revision = told.revision
    for (const { customerId, ...line } of differenceOf(kept, next)) {
      revision += 1
      const reference = `${told.id}:${revision}`
      lines.set(customerId, [
        ...(lines.get(customerId) ?? []),
        { ...line, kind: 'call', description, reference }
      ])
    }
    if (next && !kept) inserted.push({ ...next, revision })
    if (kept && !next) await deleteCall(tx, kept)
    if (kept && next && !isSame(kept, next)) await updateCall(tx, { ...next, revision })
    if (kept) count(days, kept, -1)
    if (next) count(days, next, 1)
  }
  await insertCalls(tx, inserted)
  await addToDays(
    tx,
    [...days]
      .filter(([, day]) => hasMoved(day))
      .sort(byKey)
      .map(([, day]) => day)
  )
  for (const [customerId, posted] of [...lines].sort(byKey))
    await postLines(tx, { partnerId, customerId }, posted)
}

/** No two keys are equal. */
const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

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
        { call: kept, amountMicros: 0 - before },
        { call: next, amountMicros: after }
      ]
  return changes.flatMap(({ call, amountMicros }) => {
    if (amountMicros === 0 || !call || call.customerId === null) return []
    const { customerId, endedAt: occurredAt, durationMs } = call
    return [{ customerId, amountMicros, occurredAt, durationMs }]
  })
}

const monthOf = (call: CallRow | undefined): string | undefined => call?.day.slice(0, 'yyyy-mm'.length)

function count(
  days: Map<string, Tables['callDay']>,
  { partnerId, customerId, day, durationMs, costMicros, chargeMicros }: CallRow,
  sign: 1 | -1
): void {
  if (customerId === null) return
  const key = `${customerId} ${day}`
  const sums = days.get(key) ?? { partnerId, customerId, day, ...NOTHING }
  days.set(key, {
    ...sums,
    calls: sums.calls + sign,
    durationMs: sums.durationMs + sign * durationMs,
    costMicros: sums.costMicros + sign * (costMicros ?? 0),
    chargeMicros: sums.chargeMicros + sign * (chargeMicros ?? 0)
  })
}

const NOTHING = { calls: 0, durationMs: 0, costMicros: 0, chargeMicros: 0 }

const hasMoved = ({ calls, durationMs, costMicros, chargeMicros }: Tables['callDay']): boolean =>
  [calls, durationMs, costMicros, chargeMicros].some((sum) => sum !== 0)
