// Row types of what the service keeps for itself.

export interface IdempotencyTable {
  partnerId: string
  operation: string
  key: string
  /** SHA-256 of the parsed input. */
  inputHash: string
  /** JSON of the first answer; `null` in JSON while there is none yet. */
  answer: string
  /** Whose external work is under way; null once answered, and for local work. */
  leaseOwner: string | null
  /** Until when that work can't be anybody else's; null once answered, and for local work. */
  leaseExpiresAt: string | null
  /** Of which Mind the answer tells, where it does: it is void once that one is forgotten. */
  mindId: string | null
  expiresAt: string
  createdAt: string
}

/** What API keys have spent of their budgets, see src/limits. */
interface RateLimitTable {
  key: string
  points: number
  /** When the window ends, in milliseconds since 1970. */
  expire: number
}

/** Facts about this database itself, such as which SECRET_KEY sealed it. */
interface SettingTable {
  name: string
  value: string
}

export interface ServiceTables {
  idempotency: IdempotencyTable
  rateLimit: RateLimitTable
  setting: SettingTable
}
