// Calls that have ended, and what is counted of them.
import type { Selectable } from 'kysely'
import type { Provider } from '../../schemas/voice-agent.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { known } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'

export type CallRow = Selectable<Tables['call']>
type CallPeriod = Selectable<Tables['voiceAgentPeriod']>

/** Those of the partner's calls at that provider that are known here, by the provider's ids. */
export async function findCalls(
  db: ReadHandle,
  partnerId: string,
  provider: Provider,
  callIds: readonly string[]
): Promise<Map<string, CallRow>> {
  const calls = db.selectFrom('call').where((eb) => eb.and(known({ partnerId, provider })))
  const rows = callIds.length === 0 ? [] : await calls.where('callId', 'in', callIds).selectAll().execute()
  return new Map(rows.map((call) => [call.callId, call]))
}

/** Whose the agents' calls were when, by agent. */
export async function periodsOf(
  db: ReadHandle,
  partnerId: string,
  provider: Provider,
  agentIds: readonly string[]
): Promise<Map<string, CallPeriod[]>> {
  const periods = db.selectFrom('voiceAgentPeriod').where((eb) => eb.and(known({ partnerId, provider })))
  const rows =
    agentIds.length === 0 ? [] : await periods.where('agentId', 'in', agentIds).selectAll().execute()
  const byAgent = new Map<string, CallPeriod[]>()
  for (const period of rows) byAgent.set(period.agentId, [...(byAgent.get(period.agentId) ?? []), period])
  return byAgent
}

export async function minutePriceOf(
  db: ReadHandle,
  partnerId: string,
  provider: Provider
): Promise<number | null> {
  const keys = db.selectFrom('providerKey').where((eb) => eb.and(known({ partnerId, provider })))
  return (await keys.select('minutePriceMicros').executeTakeFirst())?.minutePriceMicros ?? null
}

export async function insertCalls(tx: WriteHandle, calls: readonly CallRow[]): Promise<void> {
  if (calls.length > 0) await tx.insertInto('call').values(calls).execute()
}

export async function updateCall(tx: WriteHandle, { id, partnerId, ...call }: CallRow): Promise<void> {
  const changed = { ...call, updatedAt: now() }
  await tx.updateTable('call').set(changed).where('id', '=', id).where('partnerId', '=', partnerId).execute()
}

export async function deleteCall(tx: WriteHandle, { id, partnerId }: CallRow): Promise<void> {
  await tx.deleteFrom('call').where('id', '=', id).where('partnerId', '=', partnerId).execute()
}

/** Adds to the customers' days; each day once, in the same order everywhere. */
export async function addToDays(
  tx: WriteHandle,
  days: readonly Selectable<Tables['callDay']>[]
): Promise<void> {
  if (days.length === 0) return
  await tx
    .insertInto('callDay')
    .values(days)
    .onConflict((conflict) =>
      conflict.columns(['customerId', 'day']).doUpdateSet((eb) => ({
        calls: eb('callDay.calls', '+', eb.ref('excluded.calls')),
        durationMs: eb('callDay.durationMs', '+', eb.ref('excluded.durationMs')),
        costMicros: eb('callDay.costMicros', '+', eb.ref('excluded.costMicros')),
        chargeMicros: eb('callDay.chargeMicros', '+', eb.ref('excluded.chargeMicros'))
      }))
    )
    .execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    /** A call that has ended, as its provider told it. */
    call: {
      id: string
      partnerId: string
      provider: Provider
      /** The provider's id of it: once for each partner and provider. */
      callId: string
      agentId: string | null
      /** Whose it is, by the period of its agent that holds its end; nobody's is `null`. */
      customerId: string | null
      startedAt: string | null
      endedAt: string
      /** The one that it ended on where its partner was then, as `callDay` has it. */
      day: string
      durationMs: number
      /** Why it ended, in the provider's words. */
      outcome: string
      recordingUrl: string | null
      /** What it costs the partner; `null` until the provider tells, never 0. */
      costMicros: number | null
      /** The price of a minute that is part of its cost, as it was when the call was first read. */
      minutePriceMicros: number | null
      /** JSON of what the provider told of its cost. */
      cost: string
      multiplierMicros: number | null
      /** What its customer is charged. */
      chargeMicros: number | null
      /** Counts its lines on statements. */
      revision: number
      createdAt: string
      updatedAt: string
    }
    /** A customer's calls that ended on a day of its partner's. */
    callDay: {
      partnerId: string
      customerId: string
      day: string
      calls: number
      durationMs: number
      costMicros: number
      chargeMicros: number
    }
    /** A call that a provider told of, to be fetched. */
    callHint: { partnerId: string; provider: Provider; callId: string; createdAt: string }
    /** How far a partner's calls at a provider are read. */
    usageSync: {
      partnerId: string
      provider: Provider
      /** JSON of where it stands within a pass. */
      position: string
      dueAt: string | null
      leaseOwner: string | null
      leaseExpiresAt: string | null
      /** Everything that changed before is read. */
      syncedTo: string | null
      lastDoneAt: string | null
      lastError: string | null
      failures: number
    }
  }
}
