import { now } from '../clock.ts'
import { emailKey } from '../customers/email.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { deleteWhere, rowsWhere } from '../database/known.ts'
import { countOf } from '../database/page.ts'
import type { Tables } from '../database/tables.ts'
import { newId } from '../ids.ts'

const membersOf = (db: ReadHandle, partnerId: string, customerId: string) =>
  rowsWhere(db, 'teamMember', { partnerId, customerId })

export const countTeamMembers = (db: ReadHandle, partnerId: string, customerId: string) =>
  countOf(membersOf(db, partnerId, customerId))

/** The customer's team in the order of invitation. */
export const listTeamMembers = (db: ReadHandle, partnerId: string, customerId: string) =>
  membersOf(db, partnerId, customerId).selectAll().orderBy('createdAt').orderBy('id').execute()

export const findTeamMember = (db: ReadHandle, partnerId: string, customerId: string, id: string) =>
  membersOf(db, partnerId, customerId).where('id', '=', id).selectAll().executeTakeFirst()

/** Adds a pending member, or nothing when the customer's team already has that e-mail. */
export async function insertTeamMember(
  tx: WriteHandle,
  partnerId: string,
  customerId: string,
  added: Pick<Tables['teamMember'], 'name' | 'email' | 'role'>
) {
  const createdAt = now()
  return tx
    .insertInto('teamMember')
    .values({
      id: newId('tm'),
      partnerId,
      customerId,
      ...added,
      emailKey: emailKey(added.email),
      status: 'pending',
      identityId: null,
      createdAt,
      updatedAt: createdAt
    })
    .onConflict((conflict) => conflict.columns(['customerId', 'emailKey']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Removes the member with its invites; whether there was one. */
export async function deleteTeamMember(tx: WriteHandle, partnerId: string, customerId: string, id: string) {
  const { numDeletedRows } = await deleteWhere(tx, 'teamMember', {
    partnerId,
    customerId,
    id
  }).executeTakeFirst()
  return numDeletedRows > 0n
}

declare module '../database/tables.ts' {
  interface Tables {
    teamMember: Owned & {
      customerId: string
      name: string
      email: string
      emailKey: string
      role: string
      status: 'pending' | 'active'
      /** Set when the invite is accepted. */
      identityId: string | null
      createdAt: string
      updatedAt: string
    }
  }
}
