// Tokens of a customer's own agents (§5): minting, verification, revocation.
import type { z } from 'zod'
import type { Scope } from '../../schemas/api-key.ts'
import { MintCustomerToken } from '../../schemas/customer-token.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { refuseBlocked } from '../customers/blocked.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { isToken, newToken, rowOfToken, scopeList, scopeSet, tokenPrefix } from './token.ts'

export interface MintedCustomerToken {
  tokenId: string
  /** The token itself, this once. */
  token: string
  scopes: Scope[]
  expiresAt: string | null
}

/** Mints a token of that customer, which must be the partner's own. Of those that have ended the newest 100 are kept. */
export async function mintCustomerToken(
  tx: WriteHandle,
  partnerId: string,
  customerId: string,
  { isSelfMinted = false, ...options }: z.input<typeof MintCustomerToken> & { isSelfMinted?: boolean }
): Promise<MintedCustomerToken> {
  const { token, granted, row } = newToken('mct', MintCustomerToken.parse(options))
  const tokenId = newId('tok')
  await tx
    .insertInto('customerToken')
    .values({ id: tokenId, partnerId, customerId, isSelfMinted: isSelfMinted ? 1 : 0, ...row })
    .execute()
  const first = tx
    .selectFrom('customerToken')
    .where('customerId', '=', customerId)
    .where((eb) => eb.or([eb('revokedAt', 'is not', null), eb('expiresAt', '<=', now())]))
    .select('id')
    .orderBy('createdAt', 'desc')
    .offset(MAX_ENDED)
    .limit(10)
  await tx.deleteFrom('customerToken').where('id', 'in', first).execute()
  return { tokenId, token, scopes: granted, expiresAt: row.expiresAt }
}

const MAX_ENDED = 100

/**
 * The customer behind a bearer token. The second value tells when its use was last recorded. A token goes with its
 * customer's record, so one whose customer is gone is unknown.
 *
 * @throws ServiceError `unauthorized` for a malformed, unknown, revoked or expired token (§7: 401)
 * @throws ServiceError `partner_inactive`, `access_closed` while the customer is blocked, `api_access_disabled` for one that
 * the customer made itself and may no longer (§7: 403)
 */
export async function verifyCustomerToken(
  db: ReadHandle,
  token: string
): Promise<{ caller: Caller; lastUsedAt: string | null }> {
  const found = isToken('mct', token)
    ? rowOfToken(await tokensByPrefix(db, tokenPrefix(token)), token)
    : undefined
  if (!found)
    throw new ServiceError('unauthorized', 'This token is not valid. Send `Authorization: Bearer mct_…`.')
  if (found.revokedAt) throw new ServiceError('unauthorized', 'This token was revoked.')
  if (found.expiresAt && found.expiresAt <= now())
    throw new ServiceError('unauthorized', 'This token has expired.')
  if (!found.isActive) throw new ServiceError('partner_inactive', 'The partner account is inactive.')
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

const tokensByPrefix = compiledOnce((db, prefix: Slot<string>) =>
  db
    .selectFrom('customerToken')
    .innerJoin('partner', 'partner.id', 'customerToken.partnerId')
    .innerJoin('customer', 'customer.id', 'customerToken.customerId')
    .where('customerToken.prefix', '=', prefix)
    .select([
      'customerToken.id',
      'customerToken.partnerId',
      'customerToken.customerId',
      'customerToken.hash',
      'customerToken.scopes',
      'customerToken.expiresAt',
      'customerToken.revokedAt',
      'customerToken.lastUsedAt',
      'customerToken.isSelfMinted',
      'partner.isActive',
      'customer.credentialStatus',
      'customer.enableApiAccess'
    ])
)

/** The customer's tokens, newest first, without their secrets. */
export async function listCustomerTokens(db: ReadHandle, partnerId: string, customerId: string) {
  const rows = await db
    .selectFrom('customerToken')
    .where('partnerId', '=', partnerId)
    .where('customerId', '=', customerId)
    .select(['id', 'name', 'prefix', 'scopes', 'expiresAt', 'lastUsedAt', 'revokedAt', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, scopes, ...row }) => ({ tokenId: id, ...row, scopes: scopeList(scopes) }))
}

/** How many of the customer's tokens still open its gateway. */
export async function countLiveTokens(
  db: ReadHandle,
  partnerId: string,
  customerId: string
): Promise<number> {
  const { count } = await db
    .selectFrom('customerToken')
    .where('partnerId', '=', partnerId)
    .where('customerId', '=', customerId)
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now())]))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Revokes a token for good; whether there was one to revoke. */
export async function revokeCustomerToken(
  tx: WriteHandle,
  partnerId: string,
  customerId: string,
  tokenId: string
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('customerToken')
    .set({ revokedAt: now() })
    .where('partnerId', '=', partnerId)
    .where('customerId', '=', customerId)
    .where('id', '=', tokenId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
