// Which AI keys may be alive: that of a deploy under way, and that of the instance's last deploy that got through.
import type { NotNull } from 'kysely'
import type { AiKeys } from '../../ai-gateway/keys.ts'
import { now } from '../../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts'
import { changeWhere } from '../../database/known.ts'
import type { Tables } from '../../database/tables.ts'
import { revokeCustomerToken } from '../../keys/credentials.ts'
import type { InstanceRow } from '../store.ts'
import { deploysOf } from './store.ts'

/** Keys of the instance's deploys that are not known to be revoked. */
const liveKeys = (db: ReadHandle, partnerId: string, instanceId: string) =>
  deploysOf(db, partnerId, instanceId)
    .where('keyAlias', 'is not', null)
    .where('keyRevokedAt', 'is', null)
    .select(['id', 'keyAlias'])
    .$narrowType<{ keyAlias: NotNull }>()
    .execute()

export const liveKeyAliases = async (db: ReadHandle, partnerId: string, instanceId: string) =>
  (await liveKeys(db, partnerId, instanceId)).map(({ keyAlias }) => keyAlias)

/** Revokes the customer tokens that the instance's agents were given, but for the one that is kept. */
export async function revokeAgentTokens(
  tx: WriteHandle,
  { partnerId, customerId, id }: Pick<InstanceRow, 'partnerId' | 'customerId' | 'id'>,
  kept: string | null = null
): Promise<void> {
  const rows = await deploysOf(tx, partnerId, id).where('tokenId', 'is not', null).select('tokenId').execute()
  for (const { tokenId } of rows) {
    if (tokenId !== null && tokenId !== kept) await revokeCustomerToken(tx, partnerId, customerId, tokenId)
  }
}

type DeployedKey = Awaited<ReturnType<typeof liveKeys>>[number]

/** Revokes keys of deploys that failed, and of those that a later one replaced. @throws AiGatewayError */
export async function revokeStaleKeys(database: Database, aiKeys: AiKeys): Promise<void> {
  for (const stale of await staleKeys(database.read)) await revokeKey(database, aiKeys, stale)
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
    .$narrowType<{ keyAlias: NotNull }>()
    .execute()

/** Revokes the keys of the instance's other deploys, before this one counts as done. */
export async function revokeFormerKeys(
  database: Database,
  aiKeys: AiKeys,
  { id, partnerId, instanceId }: Tables['deploy']
): Promise<void> {
  for (const former of await liveKeys(database.read, partnerId, instanceId)) {
    if (former.id !== id) await revokeKey(database, aiKeys, former)
  }
}

async function revokeKey(database: Database, aiKeys: AiKeys, { id, keyAlias }: DeployedKey): Promise<void> {
  await aiKeys.revoke(keyAlias)
  await database.transaction((tx) => changeWhere(tx, 'deploy', { id }).set({ keyRevokedAt: now() }).execute())
}
