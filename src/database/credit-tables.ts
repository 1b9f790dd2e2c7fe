// Row types of the credits: balances, the ledger that explains them, and what is reserved.

/** What a partner or a customer has left. */
export interface CreditAccountTable {
  /** The partner's or the customer's id. */
  id: string
  partnerId: string
  /** `null` for the partner's own account. */
  customerId: string | null
  /** Millionths of a credit; never below zero, which the table holds too. */
  balanceMicros: number
  /** How many entries explain it, and the number of the newest. */
  entryCount: number
  /** The threshold whose crossing was told last; null once a grant lifted the balance to it again. */
  noticedThresholdMicros: number | null
  createdAt: string
  updatedAt: string
}

/** One movement of one account; rows are only ever added. */
export interface CreditEntryTable {
  accountId: string
  /** 1, 2, 3 … of its account: the order in which the balance moved, whatever the clocks say. */
  seq: number
  partnerId: string
  customerId: string | null
  kind: 'initial' | 'grant' | 'charge' | 'hold' | 'refund'
  /** Signed. */
  amountMicros: number
  balanceAfterMicros: number
  /** The operation that moved it, such as `memory_remember`. */
  operation: string
  /** The memory or the reservation that it paid for; once for each account and kind. */
  reference: string
  /** What the one who granted it wrote beside. */
  note: string | null
  createdAt: string
}

/** What an answer will cost, taken before the work begins. */
export interface CreditReservationTable {
  id: string
  partnerId: string
  customerId: string
  mindId: string
  operation: string
  partnerMicros: number
  /** 0 where the customer has no AI credits of its own. */
  customerMicros: number
  /** What the customer is billed once it is settled; 0 where no price per minute is asked for. */
  usageMicros: number
  status: 'held' | 'settled' | 'refunded'
  /** JSON of the answer that was paid for; null before, and once it is erased. */
  answer: string | null
  /** When the answer was erased, because it was old or a memory in it was forgotten. */
  answerErasedAt: string | null
  /** When a sweep may refund it. */
  expiresAt: string
  /** Which process works on the answer. */
  leaseOwner: string | null
  createdAt: string
  settledAt: string | null
}

export interface CreditTables {
  creditAccount: CreditAccountTable
  creditEntry: CreditEntryTable
  creditReservation: CreditReservationTable
}
