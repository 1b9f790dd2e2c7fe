// Partner API keys (§5): minting, verification, revocation.
import type { z } from 'zod'
import type { MintApiKey, Scope } from '../../schemas/api-key.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { isToken, newToken, rowOfToken, scopeList, scopeSet, tokenPrefix } from './token.ts'

export interface MintedApiKey {
  keyId: string
  /** The key itself, this once. */
  key: string
  scopes: Scope[]
  expiresAt: string | null
}

export async function mintApiKey(
  tx: WriteHandle,
  partnerId: string,
  options: z.output<typeof MintApiKey>
): Promise<MintedApiKey> {
  const { token: key, granted, row } = newToken('pkt', options)
  const keyId = newId('key')
  await tx
    .insertInto('apiKey')
    .values({ id: keyId, partnerId, ...row })
    .execute()
  return { keyId, key, scopes: granted, expiresAt: row.expiresAt }
}

/**
 * The partner behind a bearer key. The second value tells when its use was last recorded.
 *
 * @throws ServiceError `unauthorized` for a malformed, unknown, revoked or expired key (§7: 401)
 * @throws ServiceError `partner_not_found`, `partner_inactive` (§7: 403)
 */
export async function verifyApiKey(
  db: ReadHandle,
  key: string
): Promise<{ caller: Caller; lastUsedAt: string | null }> {
  const found = isToken('pkt', key) ? rowOfToken(await keysByPrefix(db, tokenPrefix(key)), key) : undefined
  if (!found)
    throw new ServiceError('unauthorized', 'This API key is not valid. Send `Authorization: Bearer pkt_…`.')
  if (found.revokedAt) throw new ServiceError('unauthorized', 'This API key was revoked.')
  if (found.expiresAt && found.expiresAt <= now())
    throw new ServiceError('unauthorized', 'This API key has expired.')
  if (found.isActive === null)
    throw new ServiceError('partner_not_found', 'The partner account was not found.')
  if (!found.isActive) throw new ServiceError('partner_inactive', 'The partner account is inactive.')
  const { id: actor, partnerId, scopes, lastUsedAt } = found
  return { caller: { partnerId, actor, scopes: scopeSet(scopes) }, lastUsedAt }
}

const keysByPrefix = compiledOnce((db, prefix: Slot<string>) =>
  db
    .selectFrom('apiKey')
    .leftJoin('partner', 'partner.id', 'apiKey.partnerId')
    .where('apiKey.prefix', '=', prefix)
    .select([
      'apiKey.id',
      'apiKey.partnerId',
      'apiKey.hash',
      'apiKey.scopes',
      'apiKey.expiresAt',
      'apiKey.revokedAt',
      'apiKey.lastUsedAt',
      'partner.isActive'
    ])
)

/** The partner's keys, newest first, without their secrets. */
export async function listApiKeys(db: ReadHandle, partnerId: string) {
  const rows = await db
    .selectFrom('apiKey')
    .where('partnerId', '=', partnerId)
    .select(['id', 'name', 'prefix', 'scopes', 'expiresAt', 'lastUsedAt', 'revokedAt', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, scopes, ...row }) => ({ keyId: id, ...row, scopes: scopeList(scopes) }))
}

/** Revokes a key for good; whether there was one to revoke. */
export async function revokeApiKey(tx: WriteHandle, partnerId: string, keyId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('apiKey')
    .set({ revokedAt: now() })
    .where('partnerId', '=', partnerId)
    .where('id', '=', keyId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
