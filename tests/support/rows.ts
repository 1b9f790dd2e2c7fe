// Rows written straight into the tables, for tests that need a partner or a customer and nothing of how they come about.
import type { Selectable } from 'kysely'
import { now } from '../../src/clock.ts'
import { openPartnerAccount } from '../../src/credits/store.ts'
import { usualColumns } from '../../src/customers/columns.ts'
import type { CustomerTable } from '../../src/customers/table.ts'
import type { Tables } from '../../src/database/tables.ts'
import { newCustomerCode, newId } from '../../src/ids.ts'
import type { Service } from '../../src/service.ts'

/** A partner with 1,000 credits; what isn't given is made up. */
export async function makePartnerRow(
  service: Service,
  given: Partial<Selectable<Tables['partner']>> = {}
): Promise<Selectable<Tables['partner']>> {
  const { id = newId('prt') } = given
  const partner: Selectable<Tables['partner']> = {
    id,
    slug: id.replace('_', '-'),
    name: 'Acme Voice',
    email: `${id}@example.com`,
    isActive: 1,
    hasAiMemory: 1,
    models: '[]',
    brand: '{}',
    priceModel: null,
    aiBudgets: null,
    portalOrigin: null,
    currency: 'USD',
    timeZone: 'UTC',
    showsCosts: 0,
    showsRecordings: 0,
    demandsTeamFactor: 0,
    demandsCustomerFactor: 0,
    statementCount: 0,
    createdAt: now(),
    updatedAt: now(),
    ...given
  }
  await service.database.transaction(async (tx) => {
    await tx.insertInto('partner').values(partner).execute()
    await openPartnerAccount(tx, id, 1_000_000_000)
  })
  return partner
}

/** A customer of that partner; what isn't given is made up. */
export async function makeCustomerRow(
  service: Service,
  partnerId: string,
  given: Partial<CustomerTable> = {}
): Promise<CustomerTable> {
  const id = newId('cus')
  const email = `${id}@example.com`
  const customer: CustomerTable = {
    ...usualColumns(),
    id,
    partnerId,
    code: newCustomerCode(),
    email,
    emailKey: email,
    searchText: email,
    estimatedPriceMicros: 0,
    priceBreakdown: '{"items":[],"total":0}',
    orderStatus: 'new',
    dealStatus: 'won',
    isOnboardingCompleted: 0,
    allowedApps: '[]',
    subscriptionStatus: 'none',
    credentialStatus: 'none',
    ownerIdentityId: null,
    createdAt: now(),
    updatedAt: now(),
    ...given
  }
  await service.database.transaction((tx) => tx.insertInto('customer').values(customer).execute())
  return customer
}

/** A member of that customer's team, active where somebody's identity is given; tells its id. */
export async function makeTeamMemberRow(
  service: Service,
  { partnerId, id: customerId }: CustomerTable,
  { email, identityId }: { email: string; identityId?: string }
): Promise<string> {
  const id = newId('tmb')
  const status = identityId ? 'active' : 'pending'
  const person = { identityId: identityId ?? null, email, emailKey: email, name: 'Ada', role: 'member' }
  const times = { createdAt: now(), updatedAt: now() }
  await service.database.transaction((tx) =>
    tx
      .insertInto('teamMember')
      .values({ id, partnerId, customerId, status, ...person, ...times })
      .execute()
  )
  return id
}
