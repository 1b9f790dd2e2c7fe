// Partners' keys at their providers: sealed under SECRET_KEY, never answered, never logged.

import type { Generated } from 'kysely'
import type { Provider } from '../../../schemas/voice-agent.ts'
import { beginSync, endSync } from '../../calls/sync-store.ts'
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
  await beginSync(tx, partnerId, provider)
}

export async function removeProviderKey(tx: WriteHandle, partnerId: string, provider: Provider) {
  await endSync(tx, partnerId, provider)
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
