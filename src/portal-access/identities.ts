// Who signs in: one identity for each (partner, e-mail). It owns the password; customers and team members point to it.
import type { Generated } from 'kysely'
import { now } from '../clock.ts'
import { endApps } from '../connected-apps/store.ts'
import { emailKey } from '../customers/email.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, rowsWhere } from '../database/known.ts'
import { newId } from '../ids.ts'
import { endLinks } from './links.ts'
import { endSessions } from './sessions.ts'

export const findIdentity = (db: ReadHandle, partnerId: string, email: string) =>
  rowsWhere(db, 'identity', { partnerId, emailKey: emailKey(email) })
    .select(['id', 'passwordHash', 'temporaryPasswordHash', 'temporaryPasswordExpiresAt'])
    .executeTakeFirst()

/** The id of the identity with that e-mail, made if there is none, without a password of its own; it changes in what is given. */
export async function addIdentity(
  tx: WriteHandle,
  partnerId: string,
  email: string,
  given: { temporaryPasswordHash?: string; temporaryPasswordExpiresAt?: string } = {}
): Promise<string> {
  const updated = { ...given, updatedAt: now() }
  const { id } = await tx
    .insertInto('identity')
    .values({
      id: newId('idn'),
      partnerId,
      email,
      emailKey: emailKey(email),
      createdAt: now(),
      ...updated
    })
    // Never of nothing, so that the row comes back whoever made it.
    .onConflict((conflict) => conflict.columns(['partnerId', 'emailKey']).doUpdateSet(updated))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Follows a customer's change of e-mail. Its owner keeps the password under the new address, unless somebody else signs in
 * with either: then the owner is whoever has the new one, once invited. Links on their way to the old address end.
 */
export async function moveOwner(tx: WriteHandle, before: CustomerTable, after: CustomerTable): Promise<void> {
  const { partnerId, ownerIdentityId } = before
  await endLinks(tx, partnerId, { customerId: before.id })
  if (ownerIdentityId === null) return
  const owned = { identityId: ownerIdentityId, customerId: before.id }
  await endSessions(tx, partnerId, owned)
  await endApps(tx, partnerId, owned)
  const isFree = (await findIdentity(tx, partnerId, after.email)) === undefined
  if (isFree && !(await isSharedIdentity(tx, partnerId, ownerIdentityId, before.id))) {
    await changeWhere(tx, 'identity', { partnerId, id: ownerIdentityId })
      .set({ email: after.email, emailKey: after.emailKey, updatedAt: now() })
      .execute()
    return
  }
  await changeWhere(tx, 'customer', { partnerId, id: before.id }).set({ ownerIdentityId: null }).execute()
}

async function isSharedIdentity(tx: WriteHandle, partnerId: string, identityId: string, customerId: string) {
  const otherCustomer = await rowsWhere(tx, 'customer', { partnerId, ownerIdentityId: identityId })
    .where('id', '!=', customerId)
    .select('id')
    .executeTakeFirst()
  const membership = await rowsWhere(tx, 'teamMember', { partnerId, identityId })
    .select('id')
    .executeTakeFirst()
  return otherCustomer !== undefined || membership !== undefined
}

declare module '../database/tables.ts' {
  interface Tables {
    /** Who signs in: one (partner, e-mail) owns the password; memberships own the access. */
    identity: Owned & {
      email: string
      emailKey: string
      passwordHash: string | null
      /** Set by an invite; signs in once and must then be changed. */
      temporaryPasswordHash: string | null
      /** Of the invite as a whole: its link ends then, too. */
      temporaryPasswordExpiresAt: string | null
      /** In any portal of the partner's, to the minute. */
      lastSeenAt: Generated<string | null>
      createdAt: string
      updatedAt: string
    }
  }
}
