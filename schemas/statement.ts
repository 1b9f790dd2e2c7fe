// Statements: what a customer owes of one month, and what it is made of.
import { z } from 'zod'
import { data, doneOf, PageQuery, pageOf } from './envelope.ts'
import { CustomerId, currency, line, RecordId, StoredTimestamp, said, told } from './primitives.ts'

const StatementStatus = z.enum(['draft', 'closed', 'billed', 'void'])
export type StatementStatus = z.infer<typeof StatementStatus>

/** `billed` takes off the balance what a statement billed, `void` what one that is taken back said. */
const LINE_KINDS = ['call', 'ai_credits', 'pack', 'subscription', 'adjustment', 'billed', 'void'] as const
const LineKind = said(
  z.enum(LINE_KINDS),
  'What it is for. `billed` and `void` are no part of the total.',
  'call'
)

const StatementId = said(RecordId, 'Id of the statement.', 'stm_2f6k8m1q4s7v0x3z5b9d')
const OfCustomer = CustomerId.optional()

export const StatementPath = z.strictObject({ statementId: StatementId })
/** A customer's own callers say whose it is, and find nobody else's. */
export const CustomerStatementPath = StatementPath.extend({
  customerId: said(OfCustomer, 'Only if it is this customer’s.', 'cus_4k9v2m7x1q8t3w6z0b5n')
})

export const ListStatements = PageQuery.extend({
  customerId: said(OfCustomer, 'Only this customer’s.', 'cus_4k9v2m7x1q8t3w6z0b5n'),
  status: said(StatementStatus, 'Only those in this state.', 'closed').optional()
})

export const ListStatementLines = CustomerStatementPath.extend({
  cursor: said(line(15).regex(/^\d+$/), 'Goes on after this line.', '500').optional()
})

const amount = told.amount('Signed sum, in its currency.', 129.5)
const instant = (meaning: string, example: string | null) =>
  said(StoredTimestamp.nullable(), meaning, example)

export const Statement = z
  .object({
    statementId: StatementId,
    customerId: told.text('Whose it is.', 'cus_4k9v2m7x1q8t3w6z0b5n'),
    customerName: told.text('How that customer is called.', 'Clínica Sol'),
    number: told.count('1, 2, 3 … of the partner; null until it is closed.', 7).nullable(),
    status: said(
      StatementStatus,
      '`draft` takes lines, `billed` is off the balance, `void` taken back.',
      'closed'
    ),
    startsAt: told.time('Begin of its period.', '2026-05-31T23:00:00.000Z'),
    endsAt: told.time('End of its period: the next begins.', '2026-06-30T23:00:00.000Z'),
    timeZone: told.text('In which months begin.', 'Europe/Lisbon'),
    currency,
    total: told.amount('Sum of its lines; of a draft, so far.', 129.5),
    lineCount: told.count('How many lines make the total.', 212),
    closedAt: instant('When it was closed.', '2026-07-03T23:20:00.000Z'),
    billedAt: instant('When it was marked as billed.', null),
    voidedAt: instant('When it was taken back.', null)
  })
  .meta({ id: 'Statement' })

const lines = told.count('How many lines.', 200)

const SumOfKind = z.object({ kind: LineKind, lines, amount })
const SumOfAgent = z.object({
  agent: told.text('What the lines say.', 'Front desk'),
  lines,
  durationMs: told.count('How long the calls took.', 5_400_000),
  amount
})

export const StatementDocument = Statement.extend({
  byKind: said(z.array(SumOfKind), 'Sums by kind.'),
  byAgent: said(z.array(SumOfAgent), 'Sums of the calls by agent, the largest first, at most 100.')
}).meta({ id: 'StatementDocument' })
export type StatementDocument = z.output<typeof StatementDocument>

export const StatementLine = z
  .object({
    number: told.count('Place among the customer’s lines, from 1.', 42),
    kind: LineKind,
    description: told.text('As the customer reads it.', 'Front desk'),
    occurredAt: told.time('When what it is for happened.', '2026-06-14T09:30:00.000Z'),
    durationMs: told.count('Of a call.', 92_000).nullable(),
    amount: told.amount('What is owed more, or less.', 0.18),
    currency,
    reference: told.text('What it is for, once for the customer.', 'cal_8w1y4a6c9e2g5i7k0m3o:1')
  })
  .meta({ id: 'StatementLine' })
export type StatementLine = z.output<typeof StatementLine>

export const StatementPage = pageOf(Statement)
export const StatementResult = z.object({ data: data(StatementDocument) })
export const StatementLines = z.object({
  lines: z.array(StatementLine),
  nextCursor: z.string().nullable()
})
export const StatementActResult = doneOf('Statement 7 was marked as billed.', Statement)
const Closed = z.object({
  closed: told.count('How many were closed.', 3),
  hasMore: told.flag('Whether more may be due: call again.', false)
})
export const CloseStatementsResult = doneOf('3 statements were closed.', Closed)
