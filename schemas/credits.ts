// AI credits: what a partner and its customers have left, and what moved it (design: two separate meters).
import { z } from 'zod'
import { PageQuery, Pagination } from './envelope.ts'
import { CustomerId, line, StoredTimestamp } from './primitives.ts'

const MAX_AMOUNT = 1_000_000_000
const SMALLEST_AMOUNT = 0.000001

const hasSixDecimals = (amount: number) => Math.round(amount * 1_000_000) / 1_000_000 === amount

/** Rounding would take or grant something else than was said, so more decimals are refused. */
const credits = (least: number) =>
  z.number().min(least).max(MAX_AMOUNT).refine(hasSixDecimals, 'must have at most 6 decimals')

/** A number of credits to grant. */
export const CreditAmount = credits(SMALLEST_AMOUNT)

/** What something costs, and may be had for nothing. */
export const CreditPrice = credits(0)

export const GetCredits = z.strictObject({})

/** Body and path of POST /customers/{customerId}/credits. */
export const GrantCredits = z.strictObject({
  customerId: CustomerId,
  amount: CreditAmount,
  note: line(200).optional()
})

export const ListCreditEntries = PageQuery
export const ListCustomerCreditEntries = PageQuery.extend({ customerId: CustomerId })

/** What a customer spent on each of the last days. */
export const CustomerCreditDaily = z.strictObject({
  customerId: CustomerId,
  days: z.int().min(1).max(366).default(30)
})

/** A day in UTC and the credits that were spent on it. */
export const SpentDay = z.object({ date: z.string(), spent: z.number() })

export const CustomerCreditDailyResult = z.object({ data: z.array(SpentDay) })

export const CreditBalance = z.object({ balance: z.number() }).meta({ id: 'CreditBalance' })

/** One movement of a balance. */
export const CreditEntry = z
  .object({
    number: z.int(),
    kind: z.enum(['initial', 'grant', 'charge', 'hold', 'refund']),
    amount: z.number(),
    balanceAfter: z.number(),
    operation: z.string(),
    reference: z.string(),
    note: z.string().nullable(),
    createdAt: StoredTimestamp
  })
  .meta({ id: 'CreditEntry' })

export const CreditBalanceResult = z.object({ data: CreditBalance })
export const GrantCreditsResult = z.object({ message: z.string(), data: CreditBalance })
export const CreditEntryPage = z.object({ data: z.array(CreditEntry), pagination: Pagination })
