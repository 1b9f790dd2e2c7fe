// Row types of the bearer tokens (§5).

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
export interface CustomerTokenTable {
  id: string
  partnerId: string
  customerId: string
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

export interface CredentialTables {
  apiKey: ApiKeyTable
  customerToken: CustomerTokenTable
}
