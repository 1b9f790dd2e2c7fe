// A partner's own people, who sign in to its console, and what each role may do there.
import { z } from 'zod'
import { ALL_SCOPES, type AnyScope } from './api-key.ts'
import { createdAt, Email, RecordId, requiredLine, StoredEmail, StoredTimestamp, said } from './primitives.ts'

const reads = <Noun extends string>(...nouns: Noun[]) => nouns.map((noun) => `${noun}:read` as const)
const both = <Noun extends string>(...nouns: Noun[]) =>
  nouns.flatMap((noun) => [`${noun}:read`, `${noun}:write`] as const)

export const PARTNER_ROLE_NAMES = ['owner', 'admin', 'support', 'billing', 'read_only'] as const
export type PartnerRole = (typeof PARTNER_ROLE_NAMES)[number]

interface Role {
  label: string
  /** What it may, as who gives it reads it. */
  help: string
  scopes: ReadonlySet<AnyScope>
}

/** A role is a set of scopes. That owners alone decide who is one is none: the team's operations see to it. */
export const PARTNER_ROLES: Readonly<Record<PartnerRole, Role>> = {
  owner: {
    label: 'Owner',
    help: 'Everything, and decides who else is an owner.',
    scopes: new Set(ALL_SCOPES)
  },
  admin: {
    label: 'Admin',
    help: 'Everything but to make, change or remove owners.',
    scopes: new Set(ALL_SCOPES)
  },
  support: {
    label: 'Support',
    help: 'Looks after customers, their memory and servers. Sees credits, plans and the audit log.',
    scopes: new Set([...both('customers', 'memory', 'instances'), ...reads('credits', 'plans', 'audit')])
  },
  billing: {
    label: 'Billing',
    help: 'Grants credits, bills statements and sets how you bill. Sees customers, plans and the audit log.',
    scopes: new Set([...both('credits', 'billing'), ...reads('customers', 'plans', 'audit')])
  },
  read_only: {
    label: 'Read only',
    help: 'Sees everything but memories, and changes nothing.',
    // Memories are the most private that there is, and each question costs credits.
    scopes: new Set(ALL_SCOPES.filter((scope) => scope.endsWith(':read') && scope !== 'memory:read'))
  }
}

const name = said(requiredLine(200), 'What they are called.', 'Grace Hopper', { label: 'Name' })
const email = said(Email, 'Nobody else signs in with it.', 'grace@example.com', { label: 'E-mail' })
const role = said(z.enum(PARTNER_ROLE_NAMES), 'What they may do.', 'support', { label: 'Role' })

export const InvitePartnerUser = z.strictObject({ name, email, role })
export const PartnerUserPath = z.strictObject({ partnerUserId: RecordId })
export const UpdatePartnerUser = PartnerUserPath.extend({ name: name.optional(), role: role.optional() })

export const PartnerUser = z.object({
  partnerUserId: z.string(),
  /** '' where nobody has said it. */
  name: z.string(),
  email: StoredEmail,
  role,
  /** Whether they have chosen a password. */
  isActive: z.boolean(),
  /** Whether signing in asks them for a second factor. */
  hasFactor: z.boolean(),
  /** When the link of their invite ends; null where none is open. */
  invitedUntil: StoredTimestamp.nullable(),
  lastSignInAt: StoredTimestamp.nullable(),
  createdAt
})
export type PartnerUser = z.output<typeof PartnerUser>

export const PartnerUserList = z.object({ data: z.array(PartnerUser) })
