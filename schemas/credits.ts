// AI credits: what a partner and its customers have left, and what moved it (design: two separate meters).
import { z } from 'zod'
import { data, doneOf, PageQuery, pageOf } from './envelope.ts'
import { CustomerId, createdAt, inMillionths, line, said, told } from './primitives.ts'

const MAX_AMOUNT = 1_000_000_000
const SMALLEST_AMOUNT = 0.000001

const credits = (least: number) => inMillionths(z.number().min(least).max(MAX_AMOUNT))

export const CreditAmount = credits(SMALLEST_AMOUNT)

/** What something costs, and may be had for nothing. */
export const CreditPrice = credits(0)

export const GrantCredits = z.strictObject({
  customerId: CustomerId,
  amount: said(CreditAmount, 'Credits to grant, above 0, with at most 6 decimals.', 250, { label: 'Amount' }),
  note: said(line(200), 'Why, for the ledger.', 'Welcome gift', {
    label: 'Note',
    help: 'Why, for the list below.'
  }).optional()
})

export const ListCreditEntries = PageQuery
export const ListCustomerCreditEntries = PageQuery.extend({ customerId: CustomerId })

export const CustomerCreditDaily = z.strictObject({
  customerId: CustomerId,
  days: z.int().min(1).max(366).default(30)
})

export const SpentDay = z.object({ date: z.string(), spent: z.number() })

export const CustomerCreditDailyResult = z.object({ data: z.array(SpentDay) })

export const CreditBalance = z
  .object({ balance: told.amount('Credits left.', 982.5) })
  .meta({ id: 'CreditBalance' })

export const CreditEntry = z
  .object({
    number: told.count('Place in the account’s ledger, from 1.', 42),
    kind: said(
      z.enum(['initial', 'grant', 'purchase', 'charge', 'hold', 'refund']),
      '`initial`, `grant` and `purchase` add; `charge` and `hold` take, a hold before an answer is made; `refund` gives a hold back.',
      'charge'
    ),
    amount: told.amount('Credits that moved; negative when they were taken.', -1),
    balanceAfter: told.amount('Credits left after it.', 982.5),
    operation: told.text('What moved them.', 'memory_remember'),
    reference: told.text('What they paid for: the memory, or the reservation.', 'mem_5k8v2m7x1q3t9w6z0b4n'),
    note: told.text('What was written beside a grant.', null).nullable(),
    createdAt
  })
  .meta({ id: 'CreditEntry' })

export const CreditBalanceResult = z.object({ data: data(CreditBalance) })
export const GrantCreditsResult = doneOf('The credits were granted.', CreditBalance)
export const CreditEntryPage = pageOf(CreditEntry)
