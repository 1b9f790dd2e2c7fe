// Partners' keys at their providers: sealed under SECRET_KEY, never answered, never logged.
import type { Generated } from 'kysely'
import { beginSync } from '../../calls/sync-store.ts'
import { now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import type { Secrets } from '../../secrets.ts'
import { ofAccount, type ProviderAccount } from '../store.ts'

/** The row that a sealed key belongs to; sealed for one, it opens for no other. */
export const providerKeyContext = (partnerId: string, provider: string): string =>
  `providerKey:${partnerId}:${provider}`

export const hookSecretContext = (partnerId: string, provider: string): string =>
  `hookSecret:${partnerId}:${provider}`

export async function setProviderKey(
  tx: WriteHandle,
  secrets: Secrets,
  account: ProviderAccount,
  key: string
) {
  const { partnerId, provider } = account
  const sealedKey = secrets.seal(key, providerKeyContext(partnerId, provider))
  await tx
    .insertInto('providerKey')
    .values({ partnerId, provider, sealedKey, updatedAt: now() })
    .onConflict((conflict) =>
      conflict
        .columns(['partnerId', 'provider'])
        .doUpdateSet({ sealedKey, updatedAt: now(), testedAt: null, testError: null })
    )
    .execute()
  await beginSync(tx, account)
}

export async function unsealProviderKey(db: ReadHandle, secrets: Secrets, account: ProviderAccount) {
  const keys = db.selectFrom('providerKey').where(ofAccount(account))
  const row = await keys.select('sealedKey').executeTakeFirst()
  return row && secrets.unseal(row.sealedKey, providerKeyContext(account.partnerId, account.provider))
}

declare module '../../database/tables.ts' {
  interface Tables {
    /** A partner's key at a voice-agent provider. */
    providerKey: ProviderAccount & {
      sealedKey: string
      /** What a minute costs the partner beside what the provider charges, such as for models under its own keys. */
      minutePriceMicros: Generated<number | null>
      /** Names the address that the provider tells of calls. */
      hookToken: Generated<string | null>
      sealedHookSecret: Generated<string | null>
      updatedAt: string
      /** When the provider was asked for agents with it last, and what it refused with, in words. */
      testedAt: Generated<string | null>
      testError: Generated<string | null>
    }
  }
}
