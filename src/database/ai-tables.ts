// Row types of the embedded AI gateway: the keys of agents on customers' servers, and what they used.

export interface AiKeyTable {
  id: string
  partnerId: string
  instanceId: string
  /** Unique among all keys that ever were. */
  alias: string
  /** The first characters of the hash, by which a key is found. Of the key itself nothing is kept (§4C). */
  hashPrefix: string
  /** SHA-256 in hex. */
  hash: string
  /** JSON array: the models that it was minted for, the primary one first. */
  models: string
  revokedAt: string | null
  createdAt: string
}

/** One call that was passed on; it outlives the key and its instance. */
export interface AiUsageTable {
  id: string
  partnerId: string
  /** `null` for calls from before it was noted, of servers that are gone. */
  customerId: string | null
  instanceId: string
  keyId: string
  /** The model that was asked, never `auto`. */
  model: string
  /** `null` where the upstream didn't say, as for a call that was broken off. */
  promptTokens: number | null
  completionTokens: number | null
  durationMs: number
  /** The HTTP status that was answered; 499 when the caller left before the end. */
  status: number
  createdAt: string
}

/** Tokens of one key, customer or partner in one day or month; calls under way count with all that they may use. */
export interface AiSpendingTable {
  /** The id of the key, the customer or the partner. */
  ownerId: string
  /** `2026-06-01` or `2026-06`, in UTC. */
  period: string
  partnerId: string
  /** `null` for the partner's own. */
  customerId: string | null
  tokens: number
  endsAt: string
}

export interface AiTables {
  aiKey: AiKeyTable
  aiUsage: AiUsageTable
  aiSpending: AiSpendingTable
}
