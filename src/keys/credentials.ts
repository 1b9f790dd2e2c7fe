// Partners' API keys and the MCP tokens of customers' agents (§5): minting, verification, revocation.
import type { z } from 'zod'
import { Credential, type MintApiKey } from '../../schemas/api-key.ts'
import { MintCustomerToken } from '../../schemas/customer-token.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { refuseBlocked } from '../customers/blocked.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { known, rowsWhere } from '../database/known.ts'
import { countOf } from '../database/page.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { isSameSecret } from '../secrets.ts'
import { isToken, mintToken, scopeList, scopeSet, type TokenKind, tokenHash, tokenPrefix } from './token.ts'

export async function mintApiKey(tx: WriteHandle, partnerId: string, options: z.output<typeof MintApiKey>) {
  const { token: key, granted: scopes, row } = newToken('pkt', options)
  const keyId = newId('key')
  await tx
    .insertInto('apiKey')
    .values({ id: keyId, partnerId, ...row })
    .execute()
  return { keyId, key, scopes, expiresAt: row.expiresAt }
}

/**
 * Mints a token of that customer; the caller has made sure that it is the partner's. Of those that have ended the newest
 * 100 are kept.
 *
 * @throws ZodError for options that weren't checked
 */
export async function mintCustomerToken(
  tx: WriteHandle,
  partnerId: string,
  customerId: string,
  { isSelfMinted = false, ...options }: z.input<typeof MintCustomerToken> & { isSelfMinted?: boolean }
) {
  const { token, granted: scopes, row } = newToken('mct', MintCustomerToken.parse(options))
  const tokenId = newId('tok')
  await tx
    .insertInto('customerToken')
    .values({ id: tokenId, partnerId, customerId, isSelfMinted: isSelfMinted ? 1 : 0, ...row })
    .execute()
  const beyond = rowsWhere(tx, 'customerToken', { customerId })
    .where((eb) => eb.or([eb('revokedAt', 'is not', null), eb('expiresAt', '<=', now())]))
    .select('id')
    .orderBy('createdAt', 'desc')
    .offset(MAX_ENDED)
    .limit(10)
  await tx.deleteFrom('customerToken').where('id', 'in', beyond).execute()
  return { tokenId, token, scopes, expiresAt: row.expiresAt }
}

const MAX_ENDED = 100

/** The token, shown this once, with the columns of its row: the secret isn’t in them. */
function newToken(kind: TokenKind, { name, scopes, expiresAt }: z.output<typeof MintApiKey>) {
  const token = mintToken(kind)
  const granted = [...new Set(scopes)]
  const row = {
    name,
    prefix: tokenPrefix(token),
    hash: tokenHash(token),
    scopes: JSON.stringify(granted),
    expiresAt: expiresAt ? new Date(expiresAt).toISOString() : null,
    createdAt: now()
  }
  return { token, granted, row }
}

/** Who calls with a key or token, and when its use was last recorded. */
interface Verified {
  caller: Caller
  lastUsedAt: string | null
}

/**
 * The partner behind a bearer key.
 *
 * @throws ServiceError `unauthorized` for a malformed, unknown, revoked or expired key (§7: 401)
 * @throws ServiceError `partner_not_found`, `partner_inactive` (§7: 403)
 */
export async function verifyApiKey(db: ReadHandle, key: string): Promise<Verified> {
  const found = await rowOf('pkt', key, db, keysByPrefix)
  if (found.isActive === null) throw new ServiceError('partner_not_found')
  if (!found.isActive) throw new ServiceError('partner_inactive')
  const { id: actor, partnerId, scopes, lastUsedAt } = found
  return { caller: { partnerId, actor, scopes: scopeSet(scopes) }, lastUsedAt }
}

/**
 * The customer behind a bearer token. A token goes with its customer's record, so one whose customer is gone is unknown.
 *
 * @throws ServiceError `unauthorized` for a malformed, unknown, revoked or expired token (§7: 401)
 * @throws ServiceError `partner_inactive`, `access_closed` while the customer is blocked, `api_access_disabled` for one that
 * the customer made itself and may no longer (§7: 403)
 */
export async function verifyCustomerToken(db: ReadHandle, token: string): Promise<Verified> {
  const found = await rowOf('mct', token, db, tokensByPrefix)
  if (!found.isActive) throw new ServiceError('partner_inactive')
  refuseBlocked(found.credentialStatus)
  if (found.isSelfMinted && !found.enableApiAccess) {
    throw new ServiceError(
      'api_access_disabled',
      'Access by tokens of the customer’s own making is switched off. Ask the provider to switch it on again.'
    )
  }
  const { id: actor, partnerId, customerId, scopes, lastUsedAt } = found
  return { caller: { partnerId, customerId, actor, scopes: scopeSet(scopes) }, lastUsedAt }
}

export type CredentialTable = 'apiKey' | 'customerToken'

const HELD = [
  'held.id',
  'held.partnerId',
  'held.hash',
  'held.scopes',
  'held.expiresAt',
  'held.revokedAt',
  'held.lastUsedAt',
  'partner.isActive'
] as const

const keysByPrefix = compiledOnce((db, prefix: Slot<string>) =>
  db
    .selectFrom('apiKey as held')
    .leftJoin('partner', 'partner.id', 'held.partnerId')
    .where('held.prefix', '=', prefix)
    .select(HELD)
)

const tokensByPrefix = compiledOnce((db, prefix: Slot<string>) =>
  db
    .selectFrom('customerToken as held')
    .innerJoin('partner', 'partner.id', 'held.partnerId')
    .innerJoin('customer', 'customer.id', 'held.customerId')
    .where('held.prefix', '=', prefix)
    .select(HELD)
    .select(['held.customerId', 'held.isSelfMinted', 'customer.credentialStatus', 'customer.enableApiAccess'])
)

/** The row of that key or token; hashes are compared in constant time. @throws ServiceError `unauthorized` */
async function rowOf<Row extends Pick<Tables['apiKey'], 'hash' | 'revokedAt' | 'expiresAt'>>(
  kind: TokenKind,
  token: string,
  db: ReadHandle,
  byPrefix: (db: ReadHandle, prefix: string) => Promise<Row[]>
): Promise<Row> {
  const rows = isToken(kind, token) ? await byPrefix(db, tokenPrefix(token)) : []
  const wanted = tokenHash(token)
  const found = rows.find(({ hash }) => isSameSecret(hash, wanted))
  if (!found) throw unauthorized(kind, `is not valid. Send \`Authorization: Bearer ${kind}_…\`.`)
  if (found.revokedAt) throw unauthorized(kind, 'was revoked.')
  if (found.expiresAt && found.expiresAt <= now()) throw unauthorized(kind, 'has expired.')
  return found
}

const unauthorized = (kind: TokenKind, problem: string): ServiceError =>
  new ServiceError('unauthorized', `This ${kind === 'pkt' ? 'API key' : 'token'} ${problem}`)

const LISTED = ['id' as const, ...Credential.keyof().options].map((name) => `held.${name}` as const)

/** The partner's keys, newest first, without their secrets. */
export async function listApiKeys(db: ReadHandle, partnerId: string) {
  const rows = await db
    .selectFrom('apiKey as held')
    .where('partnerId', '=', partnerId)
    .select(LISTED)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, scopes, ...row }) => ({ keyId: id, ...row, scopes: scopeList(scopes) }))
}

/** Customers' tokens, newest first, without their secrets. */
export const newestTokens = (db: ReadHandle) =>
  db
    .selectFrom('customerToken as held')
    .select(LISTED)
    .orderBy('held.createdAt', 'desc')
    .orderBy('held.id', 'desc')

export async function listCustomerTokens(db: ReadHandle, partnerId: string, customerId: string) {
  const own = newestTokens(db).where('held.partnerId', '=', partnerId)
  const rows = await own.where('held.customerId', '=', customerId).execute()
  return rows.map(({ id, scopes, ...row }) => ({ tokenId: id, ...row, scopes: scopeList(scopes) }))
}

/** How many of the partner's keys, or of a customer's tokens, still open their gateway. */
export const countLive = (
  db: ReadHandle,
  kind: 'apiKey' | 'customerToken',
  owner: { partnerId: string; customerId?: string }
) =>
  countOf(
    rowsWhere(db, kind, { ...owner, revokedAt: null }).where((eb) =>
      eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now())])
    )
  )

/** Revokes a key for good; whether there was one to revoke. */
export const revokeApiKey = (tx: WriteHandle, partnerId: string, id: string): Promise<boolean> =>
  revoke(tx, 'apiKey', { partnerId, id })

/** Revokes a token for good; whether there was one to revoke. */
export const revokeCustomerToken = (tx: WriteHandle, partnerId: string, customerId: string, id: string) =>
  revoke(tx, 'customerToken', { partnerId, customerId, id })

async function revoke(
  tx: WriteHandle,
  table: CredentialTable,
  which: { partnerId: string; customerId?: string; id: string }
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable(table)
    .set({ revokedAt: now() })
    .where((eb) => eb.and(known(which)))
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
