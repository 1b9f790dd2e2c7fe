// Keeps the calls that a provider tells of, as often as it does: what is told again changes what differs.
import { dayOf } from '../billing/calendar.ts'
import { billingTermsOf } from '../billing/ledger.ts'
import { priceOfDuration } from '../billing/price.ts'
import { DAY_MS, fromNow, now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import { newId } from '../ids.ts'
import type { ProviderCall } from '../voice-agents/providers/port.ts'
import { lockVoiceAgents, ofAccount, type ProviderAccount } from '../voice-agents/store.ts'
import { priceCalls } from './pricing.ts'
import type { CallRow } from './store.ts'

/** A provider's clock may be ahead of ours; what is further in the future is nonsense. */
const LONGEST_AHEAD_MS = DAY_MS

/** Keeps some calls of the partner's at that provider, and charges them; some hundred at a time. */
export async function recordCalls(
  tx: WriteHandle,
  account: ProviderAccount,
  calls: readonly ProviderCall[]
): Promise<void> {
  const { partnerId, provider } = account
  const latest = fromNow(LONGEST_AHEAD_MS)
  const told = new Map(calls.filter(({ endedAt }) => endedAt <= latest).map((call) => [call.callId, call]))
  if (told.size === 0) return
  const callIds = [...told.keys()]
  const seen = await findCalls(tx, account, callIds)
  const agentIds = callIds.map((id) => seen.get(id)?.agentId ?? told.get(id)?.agentId)
  const named = new Set(agentIds.filter((id) => typeof id === 'string'))
  const agents = await lockVoiceAgents(tx, account, named)
  // Once more: until they were locked, others could price them.
  const kept = await findCalls(tx, account, callIds)
  const { timeZone } = await billingTermsOf(tx, partnerId)
  const keys = tx.selectFrom('providerKey').where(ofAccount(account))
  const { minutePriceMicros = null } = (await keys.select('minutePriceMicros').executeTakeFirst()) ?? {}
  const tellings = [...told.values()].map((call) => {
    const before = kept.get(call.callId)
    const known = before ?? { ...newCall(), partnerId, provider, minutePriceMicros }
    return { kept: before, told: toldAgain(known, call, timeZone) }
  })
  await priceCalls(tx, account, tellings, agents)
}

/** Those of them that are known here. */
async function findCalls(tx: WriteHandle, account: ProviderAccount, callIds: readonly string[]) {
  const calls = tx.selectFrom('call').where(ofAccount(account)).where('callId', 'in', callIds)
  return new Map((await calls.selectAll().execute()).map((call) => [call.callId, call]))
}

const newCall = () => ({
  id: newId('cal'),
  ...{ agentId: null, customerId: null, recordingUrl: null, costMicros: null, cost: '{}' },
  ...{ multiplierMicros: null, chargeMicros: null, revision: 0, createdAt: now(), updatedAt: now() }
})

type Known = Omit<CallRow, keyof Told> & Partial<CallRow>
type Told = Pick<CallRow, 'callId' | 'startedAt' | 'endedAt' | 'day' | 'durationMs' | 'outcome'>

/** What was told is kept where nothing is told in its place. */
function toldAgain(known: Known, call: ProviderCall, timeZone: string): CallRow {
  const { callId, startedAt, endedAt, durationMs, outcome } = call
  // The zone may have changed since; it was counted on the day that it was then.
  const day = known.day && known.endedAt === endedAt ? known.day : dayOf(endedAt, timeZone)
  return {
    ...known,
    ...{ callId, startedAt, endedAt, day, durationMs, outcome },
    agentId: known.agentId ?? call.agentId,
    recordingUrl: call.recordingUrl ?? known.recordingUrl,
    ...costOf(call, known)
  }
}

/** JSON of a provider's cost is some hundred characters. */
const LONGEST_COST = 4_000

function costOf({ durationMs, costMicros: toldMicros, cost }: ProviderCall, known: Known) {
  const { minutePriceMicros } = known
  const ownMicros = (ms: number) => (minutePriceMicros === null ? 0 : priceOfDuration(minutePriceMicros, ms))
  if (toldMicros === null && known.costMicros === null) return {}
  // What isn't told any more is what it was, but for our part of it: the call may have gone on.
  const theirMicros = toldMicros ?? (known.costMicros ?? 0) - ownMicros(known.durationMs ?? 0)
  const told = toldMicros === null ? {} : { cost: textOf(cost) }
  return { costMicros: theirMicros + ownMicros(durationMs), ...told }
}

function textOf(cost: unknown): string {
  try {
    const text = JSON.stringify(cost ?? {})
    return text.length > LONGEST_COST ? '{}' : text
  } catch {
    // Nested so deep that it has no text.
    return '{}'
  }
}
