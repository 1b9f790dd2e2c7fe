// Whose portals an identity may enter: as a customer's owner, or as an active member of its team.
import type { Scope } from '../../schemas/api-key.ts'
import { type Named, nameOf } from '../customers/name.ts'
import type { ReadHandle } from '../database/database.ts'

/** `owner` and `admin` may do everything in their portal, `member` may chat, read and ask. */
export type PortalRole = 'owner' | 'admin' | 'member'

export interface Membership {
  customerId: string
  /** How the customer is called where there are several. */
  customerName: string
  /** `null` for the owner. */
  teamMemberId: string | null
  role: PortalRole
}

/** The portals that are open to the identity now: the owner's first, each kind in the order of their names. */
export async function membershipsOf(db: ReadHandle, partnerId: string, identityId: string) {
  const owned = await openCustomers(db, partnerId)
    .where('customer.ownerIdentityId', '=', identityId)
    .execute()
  const joined = await openCustomers(db, partnerId)
    .innerJoin('teamMember', 'teamMember.customerId', 'customer.id')
    .where('teamMember.partnerId', '=', partnerId)
    .where('teamMember.identityId', '=', identityId)
    .where('teamMember.status', '=', 'active')
    .where('customer.enableTeamMembers', '=', 1)
    .select(['teamMember.id as teamMemberId', 'teamMember.role'])
    .execute()
  return [
    ...owned.map((row) => membership(row, null, 'owner' as const)).sort(byName),
    ...joined.map((row) => membership(row, row.teamMemberId, roleOf(row.role))).sort(byName)
  ]
}

const openCustomers = (db: ReadHandle, partnerId: string) =>
  db
    .selectFrom('customer')
    .where('customer.partnerId', '=', partnerId)
    .where('customer.credentialStatus', '=', 'active')
    .where('customer.customerPortalEnabled', '=', 1)
    .select(['customer.id as customerId', 'companyName', 'firstName', 'lastName', 'customer.email'])

const membership = (
  row: Named & { customerId: string },
  teamMemberId: string | null,
  role: PortalRole
): Membership => ({ customerId: row.customerId, customerName: nameOf(row), teamMemberId, role })

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

/** What the partner lets a customer see; menus and pages obey it. */
export interface PortalFeatures {
  hasMemory: boolean
  hasTeam: boolean
  hasApiAccess: boolean
  hasAnalytics: boolean
  hasCredits: boolean
  showKnowledgeBase: boolean
  showIntegration: boolean
  allowedApps: readonly string[]
}
