// A partner's own people: who signs in to its console, and as what.
import type { AnyScope } from '../../schemas/api-key.ts'
import { PARTNER_ROLE_NAMES, PARTNER_ROLES, type PartnerRole } from '../../schemas/partner-user.ts'
import { now } from '../clock.ts'
import { emailKey } from '../customers/email.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere } from '../database/known.ts'
import type { Owned } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'

const usersOf = (db: ReadHandle, partnerId: string) =>
  db.selectFrom('partnerUser').where('partnerUser.partnerId', '=', partnerId)

/** In the order in which they came. */
export async function listPartnerUsers(db: ReadHandle, partnerId: string) {
  const rows = await usersOf(db, partnerId)
    .select(['id as partnerUserId', 'name', 'email', 'role', 'passwordHash', 'lastSignInAt', 'createdAt'])
    .select(({ selectFrom }) =>
      selectFrom('accessLink')
        .whereRef('partnerUserId', '=', 'partnerUser.id')
        .where('purpose', '=', 'console_password')
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', now())
        .select((eb) => eb.fn.max('expiresAt').as('endsAt'))
        .as('invitedUntil')
    )
    .select(({ exists, selectFrom }) => {
      const factors = selectFrom('factor').whereRef('partnerUserId', '=', 'partnerUser.id')
      return exists(factors.select('factor.id')).as('hasFactor')
    })
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(({ passwordHash, hasFactor, ...user }) => ({
    ...user,
    isActive: passwordHash !== null,
    hasFactor: Boolean(hasFactor)
  }))
}

/** All of them, and the partner's name: who they are and what they may stays so until the transaction ends. */
export async function lockPartnerUsers(tx: WriteHandle, partnerId: string) {
  const { name: partnerName } = await changeWhere(tx, 'partner', { id: partnerId })
    // As in `lockCustomer`.
    .set((eb) => ({ id: eb.ref('id') }))
    .returning('name')
    .executeTakeFirstOrThrow()
  return { partnerName, users: await usersOf(tx, partnerId).selectAll().execute() }
}

/** @throws ServiceError `email_exists` when somebody of any partner's signs in with that address; not whose they are */
export async function insertPartnerUser(
  tx: WriteHandle,
  partnerId: string,
  user: Pick<PartnerUserRow, 'name' | 'email' | 'role'>
): Promise<PartnerUserRow> {
  const made = { id: newId('usr'), emailKey: emailKey(user.email), createdAt: now() }
  const row = await tx
    .insertInto('partnerUser')
    .values({ ...user, ...made, partnerId, passwordHash: null, lastSignInAt: null })
    .onConflict((conflict) => conflict.column('emailKey').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row) return row
  const message = 'A partner’s user already has this e-mail. Use another one.'
  throw new ServiceError('email_exists', message, { field: 'email' })
}

/** Of those who may do something about what a notice tells. */
export async function listPartnerEmails(db: ReadHandle, partnerId: string, scope: AnyScope) {
  const roles = PARTNER_ROLE_NAMES.filter((role) => PARTNER_ROLES[role].scopes.has(scope))
  const users = usersOf(db, partnerId).where('role', 'in', roles).select('email')
  return (await users.orderBy('createdAt').orderBy('id').execute()).map(({ email }) => email)
}

export type PartnerUserRow = Owned & {
  name: string
  email: string
  emailKey: string
  role: PartnerRole
  /** `null` until they have accepted their invite. */
  passwordHash: string | null
  lastSignInAt: string | null
  createdAt: string
}

declare module '../database/tables.ts' {
  interface Tables {
    partnerUser: PartnerUserRow
  }
}
