// Whose portals an identity may enter: as a customer's owner, or as an active member of its team.
import { z } from 'zod'
import type { Scope } from '../../schemas/api-key.ts'
import { nameOf, personName } from '../customers/name.ts'
import type { CustomerTable } from '../customers/table.ts'
import type { ReadHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

/** `owner` and `admin` may do everything in their portal, `member` may chat, read and ask. */
export type PortalRole = 'owner' | 'admin' | 'member'

export type Membership = ReturnType<typeof membership>

/**
 * The portals that are open to the identity now: the owner's first, each kind in the order of their names.
 *
 * @param only the one that is asked for: a member's, or the owner's where `teamMemberId` is null
 */
export async function membershipsOf(
  db: ReadHandle,
  partnerId: string,
  identityId: string,
  only?: { customerId: string; teamMemberId: string | null }
) {
  const open = openCustomers(db, partnerId).$if(only !== undefined, (query) =>
    query.where('customer.id', '=', only?.customerId ?? '')
  )
  const ofOwner = open.where('customer.ownerIdentityId', '=', identityId)
  const ofMember = open
    .innerJoin('teamMember', 'teamMember.customerId', 'customer.id')
    .where('teamMember.partnerId', '=', partnerId)
    .where('teamMember.identityId', '=', identityId)
    .where('teamMember.status', '=', 'active')
    .where('customer.enableTeamMembers', '=', 1)
    .select(['teamMember.id as teamMemberId', 'teamMember.role', 'teamMember.name'])
  const owned = only?.teamMemberId ? [] : await ofOwner.execute()
  const joined = only?.teamMemberId === null ? [] : await ofMember.execute()
  return [
    ...owned.map((row) => membership(row, 'owner', personName(row) || row.companyName)).sort(byName),
    ...joined.map((row) => membership(row, roleOf(row.role), row.name, row.teamMemberId)).sort(byName)
  ]
}

const customersOf = (db: ReadHandle, partnerId: string) =>
  db
    .selectFrom('customer')
    .innerJoin('partner', 'partner.id', 'customer.partnerId')
    .where('customer.partnerId', '=', partnerId)
    .selectAll('customer')
    .select('partner.hasAiMemory')

const openCustomers = (db: ReadHandle, partnerId: string) =>
  customersOf(db, partnerId)
    .where('customer.credentialStatus', '=', 'active')
    .where('customer.customerPortalEnabled', '=', 1)

/** What the owner of that customer would see, whether or not it is open to them. */
export async function ownersMembership(db: ReadHandle, partnerId: string, customerId: string) {
  const customer = await customersOf(db, partnerId).where('customer.id', '=', customerId).executeTakeFirst()
  return customer && membership(customer, 'owner', personName(customer) || customer.companyName)
}

type OpenCustomer = CustomerTable & Pick<Tables['partner'], 'hasAiMemory'>

const membership = (
  customer: OpenCustomer,
  role: PortalRole,
  personName: string | null,
  teamMemberId: string | null = null
) => ({
  customerId: customer.id,
  /** How the customer is called where there are several. */
  customerName: nameOf(customer),
  /** `null` for the owner. */
  teamMemberId,
  role,
  /** What the owner or member is called; '' or `null` when it isn't known. */
  personName,
  portalLanguage: customer.portalLanguage,
  features: featuresOf(customer)
})

const AppList = z.array(z.string())

/** What the partner lets a customer see; menus and pages obey it. */
const featuresOf = (customer: OpenCustomer) => ({
  hasMemory: customer.hasAiMemory === 1 && customer.enableAiMemory === 1,
  hasTeam: customer.enableTeamMembers === 1,
  hasApiAccess: customer.enableApiAccess === 1,
  hasAnalytics: customer.enableAdvancedAnalytics === 1,
  hasCredits: customer.aiCreditsEnabled === 1,
  showKnowledgeBase: customer.showKnowledgeBase === 1,
  showIntegration: customer.showIntegration === 1,
  allowedApps: AppList.parse(JSON.parse(customer.allowedApps))
})

const byName = (a: Membership, b: Membership) =>
  a.customerName.localeCompare(b.customerName) || (a.customerId < b.customerId ? -1 : 1)

/** A team member's role is a free label; `admin` alone carries more rights. */
export const roleOf = (label: string): PortalRole => (label === 'admin' ? 'admin' : 'member')

const MANAGES: ReadonlySet<Scope> = new Set<Scope>([
  'memory:read',
  'memory:write',
  'customers:read',
  'customers:write',
  'credits:read',
  'billing:read'
])

export const SCOPES_OF_ROLE: Record<PortalRole, ReadonlySet<Scope>> = {
  owner: MANAGES,
  admin: MANAGES,
  member: new Set<Scope>(['memory:read'])
}
