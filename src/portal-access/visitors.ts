// Who a session's token stands for, asked of the database at every request: what was taken away is gone at once.
import type { AnyScope } from '../../schemas/api-key.ts'
import { PARTNER_ROLES, type PartnerRole } from '../../schemas/partner-user.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { tokenHash } from '../keys/token.ts'
import {
  type Membership,
  membershipsOf,
  ownersMembership,
  type PortalRole,
  SCOPES_OF_ROLE
} from './memberships.ts'
import type { Pending, SeenSession } from './sessions.ts'

type KnownSession = SeenSession &
  Pick<Tables['session'], 'customerId' | 'teamMemberId' | 'pending' | 'challenge'>

export interface SignedIn<Person> {
  session: KnownSession
  partnerId: string
  person: Person
  email: string
}

/** Somebody who signed in to a portal: inside, or with a password, a second factor or a portal in between. */
export type PortalGuest = NonNullable<Awaited<ReturnType<typeof portalGuest>>>

/** A customer's owner or team member inside a portal. */
export type InsideGuest = Extract<PortalGuest, { state: 'inside' }>

/** Somebody inside the console. */
export type ConsoleGuest = Extract<Awaited<ReturnType<typeof consoleGuest>>, { state: 'inside' }>

/** Somebody with a second factor to give or to set up first, at either site. */
export type PendingGuest = Extract<
  Awaited<ReturnType<typeof portalGuest | typeof consoleGuest>>,
  { state: Pending }
>

/** Whoever the token lets into that partner's portal; `undefined` when it lets nobody in, or no longer. */
export async function portalGuest(db: ReadHandle, token: string, partnerId?: string) {
  const row = await heldSessions(db, 'portal', token)
    .innerJoin('identity', 'identity.id', 'session.identityId')
    .select(['session.mustChangePassword', 'identity.id as identityId', 'identity.email'])
    .executeTakeFirst()
  if (!row || (partnerId !== undefined && row.partnerId !== partnerId)) return undefined
  const { identityId, customerId, teamMemberId } = row
  const guest = signedIn(row, { identityId })
  if (row.mustChangePassword) return { ...guest, state: 'password' as const }
  if (row.pending !== null) return { ...guest, state: row.pending }
  if (customerId === null) return { ...guest, state: 'choice' as const }
  const memberships = await membershipsOf(db, row.partnerId, identityId, { customerId, teamMemberId })
  const membership = memberships.find((open) => open.teamMemberId === teamMemberId)
  if (!membership) return undefined
  return inside(guest, membership, { actor: identityId, scopes: SCOPES_OF_ROLE[membership.role] })
}

const inside = (
  guest: SignedIn<{ identityId: string }>,
  { customerId, role, personName, portalLanguage, features }: Membership,
  caller: Pick<Caller, 'actor' | 'scopes'>
) => ({
  ...guest,
  state: 'inside' as const,
  customerId,
  role,
  name: personName || guest.email,
  portalLanguage,
  caller: { ...caller, partnerId: guest.partnerId, customerId },
  features
})

/**
 * Somebody of the partner's who looks at a customer's portal: as its owner, or as a member where their role in the console
 * reads less than an owner. Nothing can be changed.
 */
export async function portalView(db: ReadHandle, token: string, partnerId: string) {
  const row = await heldSessions(db, 'portal', token)
    .innerJoin('partnerUser', 'partnerUser.id', 'session.partnerUserId')
    .where('session.partnerId', '=', partnerId)
    .select(['partnerUser.id as partnerUserId', 'partnerUser.email', 'partnerUser.role'])
    .executeTakeFirst()
  const held: ReadonlySet<AnyScope> = new Set(row && PARTNER_ROLES[row.role].scopes)
  if (!row?.customerId || !held.has('customers:write')) return undefined
  const shown = await ownersMembership(db, partnerId, row.customerId)
  if (!shown) return undefined
  const reads = (of: PortalRole) => [...SCOPES_OF_ROLE[of]].filter((scope) => scope.endsWith(':read'))
  const role = reads('owner').every((scope) => held.has(scope)) ? ('owner' as const) : ('member' as const)
  const scopes = new Set(reads(role).filter((scope) => held.has(scope)))
  return inside(signedIn(row, { identityId: '' }), { ...shown, role }, { actor: row.partnerUserId, scopes })
}

interface PartnerCaller extends Caller {
  role: PartnerRole
}

export async function consoleGuest(db: ReadHandle, token: string) {
  const row = await heldSessions(db, 'console', token)
    .innerJoin('partnerUser', 'partnerUser.id', 'session.partnerUserId')
    .whereRef('partnerUser.partnerId', '=', 'session.partnerId')
    .select(['partnerUser.id as partnerUserId', 'partnerUser.email', 'partner.name as partnerName'])
    .select(['partnerUser.name', 'partnerUser.role'])
    .executeTakeFirst()
  if (!row) return undefined
  const { partnerId, partnerUserId, partnerName, name, role, email, pending } = row
  const guest = { ...signedIn(row, { partnerUserId }), partnerName }
  if (pending !== null) return { ...guest, state: pending }
  const caller: PartnerCaller = {
    partnerId,
    actor: partnerUserId,
    scopes: PARTNER_ROLES[role].scopes,
    role,
    email
  }
  return { ...guest, state: 'inside' as const, name, caller }
}

const signedIn = <Person>(
  { partnerId, email, ...session }: KnownSession & { partnerId: string; email: string },
  person: Person
): SignedIn<Person> => ({ session, partnerId, person, email })

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
    .select(['session.id', 'session.site', 'session.lastSeenAt', 'session.partnerId'])
    .select(['session.customerId', 'session.teamMemberId', 'session.pending', 'session.challenge'])
