// Partner API keys (§5): minting, verification, revocation.
import { timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { type MintApiKey, Scope } from '../../schemas/api-key.ts'
import type { Caller } from '../caller.ts'
import { fromNow, MINUTE_MS, now } from '../clock.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { isToken, mintToken, tokenHash, tokenPrefix } from './token.ts'

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
  { name, scopes, expiresAt }: z.output<typeof MintApiKey>
): Promise<MintedApiKey> {
  const key = mintToken('pkt')
  const keyId = newId('key')
  const expiry = expiresAt ? new Date(expiresAt).toISOString() : null
  const granted = [...new Set(scopes)]
  await tx
    .insertInto('apiKey')
    .values({
      id: keyId,
      partnerId,
      name,
      prefix: tokenPrefix(key),
      hash: tokenHash(key),
      scopes: JSON.stringify(granted),
      expiresAt: expiry,
      lastUsedAt: null,
      revokedAt: null,
      createdAt: now()
    })
    .execute()
  return { keyId, key, scopes: granted, expiresAt: expiry }
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
  const found = isToken('pkt', key) ? await findByPrefix(db, key) : undefined
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

async function findByPrefix(db: ReadHandle, key: string) {
  const candidates = await keysByPrefix(db, tokenPrefix(key))
  const hash = Buffer.from(tokenHash(key))
  return candidates.find((candidate) => timingSafeEqual(Buffer.from(candidate.hash), hash))
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

const Scopes = Scope.array()
/** Partners give most of their keys the same few combinations. */
const MAX_KNOWN_SCOPE_SETS = 1_000
const knownScopeSets = new Map<string, ReadonlySet<Scope>>()

/** The scopes that a row's JSON lists; read once for each text. */
function scopeSet(json: string): ReadonlySet<Scope> {
  const known = knownScopeSets.get(json)
  if (known) return known
  const scopes = new Set(Scopes.parse(JSON.parse(json)))
  if (knownScopeSets.size < MAX_KNOWN_SCOPE_SETS) knownScopeSets.set(json, scopes)
  return scopes
}

/** Whether a use that was last recorded at `lastUsedAt` is worth a write. */
export const isUseStale = (lastUsedAt: string | null): boolean =>
  !lastUsedAt || Date.parse(lastUsedAt) < Date.now() - MINUTE_MS

/** Records that a key was used now, at most once a minute whoever else records it. */
export async function recordKeyUse(database: Database, keyId: string): Promise<void> {
  await database.transaction((tx) =>
    tx
      .updateTable('apiKey')
      .set({ lastUsedAt: now() })
      .where('id', '=', keyId)
      .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', fromNow(-MINUTE_MS))]))
      .execute()
  )
}

/** The partner's keys, newest first, without anything that opens a door. */
export async function listApiKeys(db: ReadHandle, partnerId: string) {
  const rows = await db
    .selectFrom('apiKey')
    .where('partnerId', '=', partnerId)
    .select(['id', 'name', 'prefix', 'scopes', 'expiresAt', 'lastUsedAt', 'revokedAt', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, scopes, ...row }) => ({
    keyId: id,
    ...row,
    scopes: Scope.array().parse(JSON.parse(scopes))
  }))
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
