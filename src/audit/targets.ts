// What an act was done to, in words.
import type { AuditEntry } from '../../schemas/audit.ts'
import { nameOf } from '../customers/name.ts'
import type { ReadHandle } from '../database/database.ts'

interface Target {
  name: string
  /** Whose it is. */
  customerId: string
}

/** Customers, and what is theirs, by id; of the partner's own only. What is gone has no name. */
export async function namedTargets(
  db: ReadHandle,
  partnerId: string,
  acts: readonly Pick<AuditEntry, 'targetType' | 'targetId'>[]
): Promise<Map<string, Target>> {
  const found = await Promise.all([
    namesOfCustomers(db, partnerId, idsOf(acts, 'customer')),
    namesOf(db, partnerId, 'teamMember', idsOf(acts, 'team_member')),
    namesOf(db, partnerId, 'mind', idsOf(acts, 'mind')),
    namesOf(db, partnerId, 'customerToken', idsOf(acts, 'customer_token')),
    namesOf(db, partnerId, 'instance', idsOf(acts, 'instance'))
  ])
  return new Map(found.flat().map(({ id, ...target }) => [id, target]))
}

const idsOf = (acts: readonly Pick<AuditEntry, 'targetType' | 'targetId'>[], type: string): string[] =>
  acts.filter(({ targetType }) => targetType === type).map(({ targetId }) => targetId)

async function namesOf(
  db: ReadHandle,
  partnerId: string,
  table: 'teamMember' | 'mind' | 'customerToken' | 'instance',
  ids: readonly string[]
): Promise<(Target & { id: string })[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom(table)
    .where('partnerId', '=', partnerId)
    .where('id', 'in', ids)
    .select(['id', 'name', 'customerId'])
    .execute()
}

async function namesOfCustomers(
  db: ReadHandle,
  partnerId: string,
  ids: readonly string[]
): Promise<(Target & { id: string })[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('customer')
    .where('partnerId', '=', partnerId)
    .where('id', 'in', ids)
    .select(['id', 'companyName', 'firstName', 'lastName', 'email'])
    .execute()
  return rows.map((customer) => ({ id: customer.id, name: nameOf(customer), customerId: customer.id }))
}
