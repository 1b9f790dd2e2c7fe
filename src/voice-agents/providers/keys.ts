// Partners' keys at their providers: sealed under SECRET_KEY, never answered, never logged.

import type { Generated } from 'kysely'
import type { Provider } from '../../../schemas/voice-agent.ts'
import { now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import { known } from '../../database/known.ts'
import type { Secrets } from '../../secrets.ts'

/** The row that a sealed key belongs to; sealed for one, it opens for no other. */
export const providerKeyContext = (partnerId: string, provider: string): string =>
  `providerKey:${partnerId}:${provider}`

export const hookSecretContext = (partnerId: string, provider: string): string =>
  `hookSecret:${partnerId}:${provider}`

export async function setProviderKey(
  tx: WriteHandle,
  secrets: Secrets,
  partnerId: string,
  provider: Provider,
  key: string
) {
  const sealedKey = secrets.seal(key, providerKeyContext(partnerId, provider))
  await tx
    .insertInto('providerKey')
    .values({ partnerId, provider, sealedKey, updatedAt: now() })
    .onConflict((conflict) =>
      conflict.columns(['partnerId', 'provider']).doUpdateSet({ sealedKey, updatedAt: now() })
    )
    .execute()
}

export async function removeProviderKey(tx: WriteHandle, partnerId: string, provider: Provider) {
  const { numDeletedRows } = await tx
    .deleteFrom('providerKey')
    .where((eb) => eb.and(known({ partnerId, provider })))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function unsealProviderKey(
  db: ReadHandle,
  secrets: Secrets,
  partnerId: string,
  provider: Provider
) {
  const keys = db.selectFrom('providerKey').where((eb) => eb.and(known({ partnerId, provider })))
  const row = await keys.select('sealedKey').executeTakeFirst()
  return row && secrets.unseal(row.sealedKey, providerKeyContext(partnerId, provider))
}

/** When each of them was set. */
export async function providerKeyDates(db: ReadHandle, partnerId: string) {
  const keys = db.selectFrom('providerKey').where('partnerId', '=', partnerId)
  const rows = await keys.select(['provider', 'updatedAt']).execute()
  return new Map(rows.map(({ provider, updatedAt }) => [provider, updatedAt]))
}

declare module '../../database/tables.ts' {
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
    /** A partner's key at a voice-agent provider. */
    providerKey: {
      partnerId: string
      provider: Provider
      sealedKey: string
      /** What a minute costs the partner beside what the provider charges, such as for models under its own keys. */
      minutePriceMicros: Generated<number | null>
      /** Names the address that the provider tells of calls. */
      hookToken: Generated<string | null>
      sealedHookSecret: Generated<string | null>
      updatedAt: string
    }
  }
}
