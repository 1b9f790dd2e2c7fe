// Statements as they are read: a partner's own, of customers that it still has.
import { type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { ListStatements, StatementDocument, StatementLine } from '../../schemas/statement.ts'
import { nameOf } from '../customers/name.ts'
import type { ReadHandle } from '../database/database.ts'
import { pageOfRows } from '../database/page.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { fromMicros } from '../money.ts'

const statementsOf = (db: ReadHandle, partnerId: string) =>
  db.selectFrom('statement').where('statement.partnerId', '=', partnerId)

/** How the customer is called, and where its months begin; an erased one's statements are gone at once. */
const withNames = <Row>(all: SelectQueryBuilder<Tables, 'statement', Row>) =>
  all
    .innerJoin('customer', 'customer.id', 'statement.customerId')
    .innerJoin('partner', 'partner.id', 'statement.partnerId')
    .selectAll('statement')
    .select(['companyName', 'firstName', 'lastName', 'customer.email', 'timeZone'])

export type StatementRow = Awaited<ReturnType<typeof findStatement>>

/** @throws ServiceError `statement_not_found`, for another partner's or another customer's as for none */
export async function findStatement(
  db: ReadHandle,
  partnerId: string,
  statementId: string,
  customerId?: string
) {
  const own = statementsOf(db, partnerId).where('statement.id', '=', statementId)
  const row = await withNames(own).executeTakeFirst()
  if (row && (customerId === undefined || row.customerId === customerId)) return row
  throw new ServiceError('statement_not_found', 'There is no statement with this id.', {
    field: 'statementId'
  })
}

export const shownStatement = (row: StatementRow) => ({
  statementId: row.id,
  customerId: row.customerId,
  customerName: nameOf(row),
  number: row.number,
  status: row.status,
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  timeZone: row.timeZone,
  currency: row.currency,
  total: fromMicros(row.totalMicros),
  lineCount: row.entryCount,
  closedAt: row.closedAt,
  billedAt: row.billedAt,
  voidedAt: row.voidedAt
})

/** One page, the newest period first. */
export async function pageOfStatements(
  db: ReadHandle,
  partnerId: string,
  { customerId, status, ...page }: z.output<typeof ListStatements>
) {
  let all = statementsOf(db, partnerId)
  if (customerId !== undefined) all = all.where('statement.customerId', '=', customerId)
  if (status !== undefined) all = all.where('statement.status', '=', status)
  const newest = withNames(all).orderBy('statement.startsAt', 'desc').orderBy('statement.id', 'desc')
  const { rows, pagination } = await pageOfRows(page, newest, all)
  return { data: rows.map(shownStatement), pagination }
}

const MAX_AGENTS = 100

/** The whole of it but for its lines. @throws ServiceError `statement_not_found` */
export async function statementDocument(
  db: ReadHandle,
  partnerId: string,
  statementId: string,
  customerId?: string
): Promise<StatementDocument> {
  const statement = await findStatement(db, partnerId, statementId, customerId)
  // Late calls stand there as adjustments, and are still an agent's.
  const agent = sql<string | null>`case when "durationMs" is null then null else "description" end`
  const sums = await db
    .selectFrom('billingEntry')
    .where('statementId', '=', statementId)
    .select((eb) => [
      'kind',
      agent.as('agent'),
      eb.fn.countAll<number>().as('lines'),
      eb.fn.sum<number>('amountMicros').as('amountMicros'),
      eb.fn.sum<number | null>('durationMs').as('durationMs')
    ])
    .groupBy(['kind', 'agent'])
    .execute()
  return {
    ...shownStatement(statement),
    byKind: summed(sums, ({ kind }) => kind).map(({ of: kind, lines, amount }) => ({ kind, lines, amount })),
    byAgent: summed(sums, (sum) => sum.agent)
      .flatMap(({ of, ...sum }) => (of === null ? [] : [{ agent: of, ...sum }]))
      .toSorted((one, other) => other.amount - one.amount)
      .slice(0, MAX_AGENTS)
  }
}

interface Sum {
  lines: number
  amountMicros: number
  durationMs: number | null
}

/** Micro-units are added up before they become amounts. */
function summed<Row extends Sum, Of>(sums: readonly Row[], of: (row: Row) => Of) {
  const totals = new Map<Of, { lines: number; amountMicros: number; durationMs: number }>()
  for (const row of sums) {
    const total = totals.get(of(row)) ?? { lines: 0, amountMicros: 0, durationMs: 0 }
    total.lines += row.lines
    total.amountMicros += row.amountMicros
    total.durationMs += row.durationMs ?? 0
    totals.set(of(row), total)
  }
  return [...totals].map(([of, { amountMicros, ...total }]) => ({
    of,
    ...total,
    amount: fromMicros(amountMicros)
  }))
}

const LINES = 500

/** The lines behind that one, in the order in which they were written; the last ones have no cursor. */
export async function linesAfter(
  db: ReadHandle,
  { id, currency }: StatementRow,
  cursor: string | undefined
): Promise<{ lines: StatementLine[]; nextCursor: string | null }> {
  const rows = await db
    .selectFrom('billingEntry')
    .where('statementId', '=', id)
    .where('seq', '>', Number(cursor ?? 0))
    .select(['seq', 'kind', 'description', 'occurredAt', 'durationMs', 'amountMicros', 'reference'])
    .orderBy('seq')
    .limit(LINES)
    .execute()
  const lines = rows.map(({ seq, amountMicros, ...line }) => ({
    ...line,
    number: seq,
    amount: fromMicros(amountMicros),
    currency
  }))
  return { lines, nextCursor: rows.length === LINES ? String(rows.at(-1)?.seq) : null }
}
