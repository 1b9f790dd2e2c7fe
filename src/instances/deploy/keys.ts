// Which AI keys may be alive: that of a deploy under way, and that of the instance's last deploy that got through.

import type { AiKeys } from '../../ai-gateway/keys.ts'
import { now } from '../../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts'
import { revokeCustomerToken } from '../../keys/customer-tokens.ts'
import type { InstanceRow } from '../store.ts'

/** Aliases of the instance's AI keys that are not known to be revoked; for whoever removes the instance. */
export async function liveKeyAliases(
  db: ReadHandle | WriteHandle,
  partnerId: string,
  instanceId: string
): Promise<string[]> {
  const rows = await db
    .selectFrom('deploy')
    .where('partnerId', '=', partnerId)
    .where('instanceId', '=', instanceId)
    .where('keyAlias', 'is not', null)
    .where('keyRevokedAt', 'is', null)
    .select('keyAlias')
    .execute()
  return rows.flatMap(({ keyAlias }) => keyAlias ?? [])
}

/** Revokes the customer tokens that the instance's agents were given, but for the one that is kept. */
export async function revokeAgentTokens(
  tx: WriteHandle,
  { partnerId, customerId, id }: Pick<InstanceRow, 'partnerId' | 'customerId' | 'id'>,
  kept: string | null = null
): Promise<void> {
  const rows = await tx
    .selectFrom('deploy')
    .where('partnerId', '=', partnerId)
    .where('instanceId', '=', id)
    .where('tokenId', 'is not', null)
    .select('tokenId')
    .execute()
  for (const { tokenId } of rows) {
    if (tokenId !== null && tokenId !== kept) await revokeCustomerToken(tx, partnerId, customerId, tokenId)
  }
}

/**
 * Revokes what outlived its use: keys of deploys that failed, and of those that a later one replaced.
 *
 * @throws AiGatewayError when the gateway can't be asked; what is left is tried again later
 */
export async function revokeStaleKeys(database: Database, aiKeys: AiKeys): Promise<void> {
  for (const { id, keyAlias } of await staleKeys(database.read)) {
    if (keyAlias !== null) await aiKeys.revoke(keyAlias)
    await noteRevoked(database, id)
  }
}

/** Finished deploys with a key, all but the last of each instance that got through. Reads the index of live keys. */
const staleKeys = (db: ReadHandle) =>
  db
    .selectFrom('deploy as one')
    .where('one.keyAlias', 'is not', null)
    .where('one.keyRevokedAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb('one.phase', '=', 'failed'),
        eb.and([
          eb('one.phase', '=', 'succeeded'),
          eb.exists(
            eb
              .selectFrom('deploy as later')
              .whereRef('later.instanceId', '=', 'one.instanceId')
              .whereRef('later.number', '>', 'one.number')
              .where('later.phase', '=', 'succeeded')
              .select('later.id')
          )
        ])
      ])
    )
    .select(['one.id', 'one.keyAlias'])
    .execute()

/** Revokes the keys of the instance's other deploys, before this one counts as done. */
export async function revokeFormerKeys(
  database: Database,
  aiKeys: AiKeys,
  { id, partnerId, instanceId }: { id: string; partnerId: string; instanceId: string }
): Promise<void> {
  const rows = await database.read
    .selectFrom('deploy')
    .where('partnerId', '=', partnerId)
    .where('instanceId', '=', instanceId)
    .where('id', '!=', id)
    .where('keyAlias', 'is not', null)
    .where('keyRevokedAt', 'is', null)
    .select(['id', 'keyAlias'])
    .execute()
  for (const { id: formerId, keyAlias } of rows) {
    if (keyAlias !== null) await aiKeys.revoke(keyAlias)
    await noteRevoked(database, formerId)
  }
}

const noteRevoked = (database: Database, deployId: string): Promise<unknown> =>
  database.transaction((tx) =>
    tx.updateTable('deploy').set({ keyRevokedAt: now() }).where('id', '=', deployId).execute()
  )
