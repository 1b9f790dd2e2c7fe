// Row types of what lets somebody in: bearer tokens (§5), and sessions of the portal and the console.
import type { Flag } from './tables.ts'

export interface ApiKeyTable {
  id: string
  partnerId: string
  name: string
  /** The token's first characters, by which it is looked up. */
  prefix: string
  /** SHA-256 of the token, hex. */
  hash: string
  /** JSON array of scopes. */
  scopes: string
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
  createdAt: string
}

/** A token that opens one customer's gateway. */
export interface CustomerTokenTable extends ApiKeyTable {
  customerId: string
  /** Made by the customer in its portal: it works while `enableApiAccess` is on. */
  isSelfMinted: Flag
}

/** Somebody who is signed in. */
export interface SessionTable {
  id: string
  partnerId: string
  door: 'portal' | 'console'
  /** SHA-256 of the cookie's value, hex. */
  tokenHash: string
  /** Who it is in a portal. */
  identityId: string | null
  /** Whose portal they are in; null while they have yet to choose one, or a password. */
  customerId: string | null
  /** As whom of the team; null for the owner. */
  teamMemberId: string | null
  /** Who it is in the console. */
  partnerUserId: string | null
  /** Came in by a temporary password, and may do nothing but choose one. */
  mustChangePassword: Flag
  userAgent: string
  createdAt: string
  /** To the minute. */
  lastSeenAt: string
  /** When it ends unless it is used. */
  idleExpiresAt: string
  /** When it ends however much it is used. */
  expiresAt: string
}

/** How often signing in to an account failed of late. */
export interface SignInFailureTable {
  /** A digest: whose account and from where is nobody's to read. */
  key: string
  count: number
  endsAt: string
}

/** From where an account was signed in to. */
export interface KnownNetworkTable {
  /** A digest of the account and the network. */
  network: string
  /** A digest. */
  account: string
  lastUsedAt: string
}

export interface CredentialTables {
  apiKey: ApiKeyTable
  customerToken: CustomerTokenTable
  session: SessionTable
  signInFailure: SignInFailureTable
  knownNetwork: KnownNetworkTable
}
