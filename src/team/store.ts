import { now } from '../clock.ts'
import { emailKey } from '../customers/email.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { newId } from '../ids.ts'

export async function countTeamMembers(
  db: ReadHandle,
  partnerId: string,
  customerId: string
): Promise<number> {
  const { count } = await db
    .selectFrom('teamMember')
    .where('partnerId', '=', partnerId)
    .where('customerId', '=', customerId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The customer's team in the order of invitation. */
export async function listTeamMembers(
  db: ReadHandle,
  partnerId: string,
  customerId: string
): Promise<Tables['teamMember'][]> {
  return db
    .selectFrom('teamMember')
    .where('partnerId', '=', partnerId)
    .where('customerId', '=', customerId)
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function findTeamMember(
  db: ReadHandle,
  partnerId: string,
  customerId: string,
  teamMemberId: string
): Promise<Tables['teamMember'] | undefined> {
  return db
    .selectFrom('teamMember')
    .where('partnerId', '=', partnerId)
    .where('customerId', '=', customerId)
    .where('id', '=', teamMemberId)
    .selectAll()
    .executeTakeFirst()
}

/** Adds a pending member, or nothing when the customer's team already has that e-mail. */
export async function insertTeamMember(
  tx: WriteHandle,
  partnerId: string,
  customerId: string,
  { name, email, role }: { name: string; email: string; role: string }
): Promise<Tables['teamMember'] | undefined> {
  const createdAt = now()
  return tx
    .insertInto('teamMember')
    .values({
      id: newId('tm'),
      partnerId,
      customerId,
      name,
      email,
      emailKey: emailKey(email),
      role,
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
export async function deleteTeamMember(
  tx: WriteHandle,
  partnerId: string,
  customerId: string,
  teamMemberId: string
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('teamMember')
    .where('partnerId', '=', partnerId)
    .where('customerId', '=', customerId)
    .where('id', '=', teamMemberId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

declare module '../database/tables.ts' {
  interface Tables {
    teamMember: {
      id: string
      partnerId: string
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
