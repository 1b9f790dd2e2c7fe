// Who a session's token stands for, asked of the database at every request: what was taken away is gone at once.
import { z } from 'zod'
import { SCOPES, type Scope } from '../../schemas/api-key.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { personName } from '../customers/name.ts'
import type { ReadHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { tokenHash } from '../keys/token.ts'
import { type PortalFeatures, type PortalRole, roleOf, SCOPES_OF_ROLE } from './memberships.ts'
import type { SeenSession } from './sessions.ts'

const AppList = z.array(z.string())

interface SignedIn<Person> {
  session: SeenSession
  partnerId: string
  person: Person
  email: string
}

/** A customer's owner or team member inside a portal. */
export interface InsideGuest extends SignedIn<{ identityId: string }> {
  state: 'inside'
  customerId: string
  role: PortalRole
  name: string
  caller: Caller & { customerId: string }
  features: PortalFeatures
}

/** Somebody who signed in to a portal: inside, or with a password or a portal to choose first. */
export type PortalGuest = InsideGuest | (SignedIn<{ identityId: string }> & { state: 'password' | 'choice' })

/** Whoever the token lets into that partner's portal; `undefined` when it lets nobody in, or no longer. */
export async function portalGuest(
  db: ReadHandle,
  token: string,
  partnerId?: string
): Promise<PortalGuest | undefined> {
  const row = await heldSessions(db, 'portal', token)
    .innerJoin('identity', 'identity.id', 'session.identityId')
    .leftJoin('customer', 'customer.id', 'session.customerId')
    .leftJoin('teamMember', 'teamMember.id', 'session.teamMemberId')
    .select([
      ...SESSION,
      'session.mustChangePassword',
      'session.customerId',
      'session.teamMemberId',
      'identity.id as identityId',
      'identity.email',
      'customer.ownerIdentityId',
      'customer.credentialStatus',
      'customer.customerPortalEnabled',
      'customer.firstName',
      'customer.lastName',
      'customer.companyName',
      'partner.hasAiMemory',
      'customer.enableAiMemory',
      'customer.enableTeamMembers',
      'customer.enableApiAccess',
      'customer.enableAdvancedAnalytics',
      'customer.aiCreditsEnabled',
      'customer.showKnowledgeBase',
      'customer.showIntegration',
      'customer.allowedApps',
      'teamMember.identityId as memberIdentityId',
      'teamMember.customerId as memberCustomerId',
      'teamMember.status as memberStatus',
      'teamMember.name as memberName',
      'teamMember.role as memberRole'
    ])
    .executeTakeFirst()
  if (!row || (partnerId !== undefined && row.partnerId !== partnerId)) return undefined
  const guest = signedIn(row, { identityId: row.identityId })
  if (row.mustChangePassword) return { ...guest, state: 'password' }
  if (row.customerId === null) return { ...guest, state: 'choice' }
  if (row.credentialStatus !== 'active' || !row.customerPortalEnabled) return undefined
  const isMember = row.teamMemberId !== null
  const isStillIn = isMember
    ? row.memberStatus === 'active' &&
      row.memberIdentityId === row.identityId &&
      row.memberCustomerId === row.customerId &&
      row.enableTeamMembers === 1
    : row.ownerIdentityId === row.identityId
  if (!isStillIn) return undefined
  const role = isMember ? roleOf(row.memberRole ?? '') : 'owner'
  return {
    ...guest,
    state: 'inside',
    customerId: row.customerId,
    role,
    name: (isMember ? row.memberName : personName(row) || row.companyName) || row.email,
    caller: {
      partnerId: row.partnerId,
      actor: row.identityId,
      customerId: row.customerId,
      scopes: SCOPES_OF_ROLE[role]
    },
    features: {
      hasMemory: row.hasAiMemory === 1 && row.enableAiMemory === 1,
      hasTeam: row.enableTeamMembers === 1,
      hasApiAccess: row.enableApiAccess === 1,
      hasAnalytics: row.enableAdvancedAnalytics === 1,
      hasCredits: row.aiCreditsEnabled === 1,
      showKnowledgeBase: row.showKnowledgeBase === 1,
      showIntegration: row.showIntegration === 1,
      allowedApps: AppList.parse(JSON.parse(row.allowedApps ?? '[]'))
    }
  }
}

export interface ConsoleGuest extends SignedIn<{ partnerUserId: string }> {
  partnerName: string
  caller: Caller
}

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES)

export async function consoleGuest(db: ReadHandle, token: string): Promise<ConsoleGuest | undefined> {
  const row = await heldSessions(db, 'console', token)
    .innerJoin('partnerUser', 'partnerUser.id', 'session.partnerUserId')
    .whereRef('partnerUser.partnerId', '=', 'session.partnerId')
    .select([
      ...SESSION,
      'partnerUser.id as partnerUserId',
      'partnerUser.email',
      'partner.name as partnerName'
    ])
    .executeTakeFirst()
  if (!row) return undefined
  const { partnerId, partnerUserId, partnerName } = row
  return {
    ...signedIn(row, { partnerUserId }),
    partnerName,
    caller: { partnerId, actor: partnerUserId, scopes: ALL_SCOPES }
  }
}

const signedIn = <Person>(
  { id, site, lastSeenAt, partnerId, email }: SeenSession & { partnerId: string; email: string },
  person: Person
): SignedIn<Person> => ({ session: { id, site, lastSeenAt }, partnerId, person, email })

const SESSION = ['session.id', 'session.site', 'session.lastSeenAt', 'session.partnerId'] as const

/** The session of that token at that site, while it lasts and its partner is active. */
const heldSessions = (db: ReadHandle, site: Tables['session']['site'], token: string) =>
  db
    .selectFrom('session')
    .innerJoin('partner', 'partner.id', 'session.partnerId')
    .where('session.tokenHash', '=', tokenHash(token))
    .where('session.site', '=', site)
    .where('session.idleExpiresAt', '>', now())
    .where('session.expiresAt', '>', now())
    .where('partner.isActive', '=', 1)
