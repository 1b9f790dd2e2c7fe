// Calls that have ended, and what is counted of them.
import type { Selectable } from 'kysely'
import type { Provider } from '../../schemas/voice-agent.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ofAccount, type ProviderAccount } from '../voice-agents/store.ts'

export type CallRow = Selectable<Tables['call']>

/** Those of the partner's calls at that provider that are known here, by the provider's ids. */
export async function findCalls(db: ReadHandle, account: ProviderAccount, callIds: readonly string[]) {
  const calls = db.selectFrom('call').where(ofAccount(account)).where('callId', 'in', callIds)
  return new Map((await calls.selectAll().execute()).map((call) => [call.callId, call]))
}

/** Whose the agents' calls were when. */
export async function findPeriods(db: ReadHandle, account: ProviderAccount, agentIds: readonly string[]) {
  const periods = db.selectFrom('voiceAgentPeriod').where(ofAccount(account))
  return agentIds.length === 0 ? [] : periods.where('agentId', 'in', agentIds).selectAll().execute()
}

/** Adds to the customers' days; each day once, in the same order everywhere. */
export async function addToDays(tx: WriteHandle, days: readonly Tables['callDay'][]): Promise<void> {
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
