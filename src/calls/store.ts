// Calls that have ended, and what is counted of them.
import type { Selectable } from 'kysely'
import type { Tables } from '../database/tables.ts'
import type { ProviderAccount } from '../voice-agents/store.ts'

export type CallRow = Selectable<Tables['call']>

/** What is counted of a day's calls. */
export const SUMS_OF_DAY = ['calls', 'durationMs', 'costMicros', 'chargeMicros'] as const

declare module '../database/tables.ts' {
  interface Tables {
    /** A call that has ended, as its provider told it. */
    call: ProviderAccount & {
      id: string
      /** The provider's id of it: once for each partner and provider. */
      callId: string
      agentId: string | null
      /** Whose it is, by the period of its agent that holds its end; nobody's is `null`. */
      customerId: string | null
      /** `null` where nobody was reached, or what was told can't be so. */
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
    callHint: ProviderAccount & { callId: string; createdAt: string }
    /** How far a partner's calls at a provider are read. */
    usageSync: ProviderAccount & {
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
