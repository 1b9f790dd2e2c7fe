// Who did it and what it was done to, in words: of the partner's own only, and what is gone has no name.
import type { AuditEntry } from '../../schemas/audit.ts'
import { appsWithEmail } from '../connected-apps/store.ts'
import { nameOf } from '../customers/name.ts'
import type { ReadHandle } from '../database/database.ts'
import { isOwnedBy } from '../database/known.ts'

/** The name of an API key or a customer's token, the e-mail of who was signed in, or both of a connected app, by id. */
export async function namesOfActors(db: ReadHandle, partnerId: string, actors: readonly string[]) {
  const ids = [...new Set(actors)]
  if (ids.length === 0) return new Map<string, string>()
  const rowsIn = (table: 'apiKey' | 'customerToken' | 'partnerUser' | 'identity') =>
    db.selectFrom(table).where('id', 'in', ids).where(isOwnedBy(partnerId))
  const [apps, ...named] = await Promise.all([
    appsWithEmail(db).where('app.id', 'in', ids).where(isOwnedBy(partnerId, 'app')).execute(),
    rowsIn('apiKey').select(['id', 'name']).execute(),
    rowsIn('customerToken').select(['id', 'name']).execute(),
    rowsIn('partnerUser').select(['id', 'email as name']).execute(),
    rowsIn('identity').select(['id', 'email as name']).execute()
  ])
  const byApp = apps.map(({ id, email, clientName }) => ({ id, name: `${email} by ${clientName}` }))
  return new Map([...named.flat(), ...byApp].map(({ id, name }) => [id, name]))
}

interface Target {
  name: string
  /** Whose it is. */
  customerId: string
}

type Act = Pick<AuditEntry, 'targetType' | 'targetId'>

/** Customers, and what is theirs, by id. */
export async function namedTargets(db: ReadHandle, partnerId: string, acts: readonly Act[]) {
  const found = await Promise.all([
    namesOfCustomers(db, partnerId, idsOf(acts, 'customer')),
    namesOf(db, partnerId, 'teamMember', idsOf(acts, 'team_member')),
    namesOf(db, partnerId, 'mind', idsOf(acts, 'mind')),
    namesOf(db, partnerId, 'customerToken', idsOf(acts, 'customer_token')),
    namesOf(db, partnerId, 'instance', idsOf(acts, 'instance'))
  ])
  return new Map<string, Target>(found.flat().map(({ id, ...target }) => [id, target]))
}

const idsOf = (acts: readonly Act[], type: string): string[] =>
  acts.filter(({ targetType }) => targetType === type).map(({ targetId }) => targetId)

async function namesOf(
  db: ReadHandle,
  partnerId: string,
  table: 'teamMember' | 'mind' | 'customerToken' | 'instance',
  ids: readonly string[]
) {
  if (ids.length === 0) return []
  const rows = db.selectFrom(table).where('id', 'in', ids).where(isOwnedBy(partnerId))
  return rows.select(['id', 'name', 'customerId']).execute()
}

async function namesOfCustomers(db: ReadHandle, partnerId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  const customers = db.selectFrom('customer').where('id', 'in', ids).where(isOwnedBy(partnerId))
  const rows = await customers.select(['id', 'companyName', 'firstName', 'lastName', 'email']).execute()
  return rows.map((customer) => ({ id: customer.id, name: nameOf(customer), customerId: customer.id }))
}
