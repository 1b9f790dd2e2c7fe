// Statements as they are read: a partner's own, of customers that it still has.
import type { SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import type { ListStatements, StatementDocument, StatementLine } from '../../schemas/statement.ts'
import { nameOf } from '../customers/name.ts'
import { getCustomer } from '../customers/store.ts'
import type { ReadHandle } from '../database/database.ts'
import { rowsWhere } from '../database/known.ts'
import { among, pageOfRows } from '../database/page.ts'
import { countedBy } from '../database/row-count.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { fromMicros } from '../money.ts'

async function statementsOf(db: ReadHandle, partnerId: string, customer: string | undefined) {
  const all = db.selectFrom('statement').where('statement.partnerId', '=', partnerId)
  if (customer === undefined) return all
  return all.where('statement.customerId', '=', (await getCustomer(db, partnerId, customer)).id)
}

/** How the customer is called, and where its months begin; an erased one's statements are gone at once. */
const withNames = <Row>(all: SelectQueryBuilder<Tables, 'statement', Row>) =>
  all
    .innerJoin('customer', 'customer.id', 'statement.customerId')
    .innerJoin('partner', 'partner.id', 'statement.partnerId')
    .selectAll('statement')
    .select(['companyName', 'firstName', 'lastName', 'customer.email', 'timeZone'])

export type StatementRow = Awaited<ReturnType<typeof findStatement>>

/**
 * @param customer its id or short code; whosever it is when left out
 * @throws ServiceError `statement_not_found`, for another partner's or another customer's as for none,
 *   `customer_not_found`
 */
export async function findStatement(
  db: ReadHandle,
  partnerId: string,
  statementId: string,
  customer?: string
) {
  const own = (await statementsOf(db, partnerId, customer)).where('statement.id', '=', statementId)
  const row = await withNames(own).executeTakeFirst()
  if (row) return row
  throw new ServiceError('statement_not_found')
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

/** One page, the newest period first. @throws ServiceError `customer_not_found` */
export async function pageOfStatements(
  db: ReadHandle,
  partnerId: string,
  { customerId, status, ...page }: z.output<typeof ListStatements>
) {
  let all = await statementsOf(db, partnerId, customerId)
  if (status !== undefined) all = all.where('statement.status', '=', status)
  const counted = customerId === undefined ? countedBy(db, partnerId, 'statement', { status }) : undefined
  const newest = all.select('id').orderBy('startsAt', 'desc').orderBy('id', 'desc')
  const { rows: ids, pagination } = await pageOfRows(page, newest, all, counted)
  const rows = await withNames(db.selectFrom('statement').where('statement.id', 'in', among(ids)))
    .orderBy('statement.startsAt', 'desc')
    .orderBy('statement.id', 'desc')
    .execute()
  return { data: rows.map(shownStatement), pagination }
}

const MAX_AGENTS = 100

/** The whole of it but for its lines. @throws ServiceError `statement_not_found` */
export async function statementDocument(
  db: ReadHandle,
  partnerId: string,
  statementId: string,
  customer?: string
): Promise<StatementDocument> {
  const statement = await findStatement(db, partnerId, statementId, customer)
  const sums = rowsWhere(db, 'billingEntry', { statementId }).select(({ fn }) => [
    fn.countAll<number>().as('lines'),
    fn.sum<number>('amountMicros').as('micros')
  ])
  const byKind = await sums.groupBy('kind').select('kind').execute()
  const byAgent = await sums
    // Late calls stand there as adjustments, and are still an agent's.
    .where('durationMs', 'is not', null)
    .groupBy('description')
    .select(({ fn }) => ['description as agent', fn.sum<number>('durationMs').as('durationMs')])
    .orderBy('micros', 'desc')
    .limit(MAX_AGENTS)
    .execute()
  return {
    ...shownStatement(statement),
    byKind: byKind.map(withAmount),
    byAgent: byAgent.map(withAmount)
  }
}

const withAmount = <Sum extends { micros: number }>({ micros, ...sum }: Sum) => ({
  ...sum,
  amount: fromMicros(micros)
})

const LINES = 500

/** The lines behind that one, in the order in which they were written; the last ones have no cursor. */
export async function linesAfter(
  db: ReadHandle,
  { id, currency }: StatementRow,
  cursor: string | undefined
): Promise<{ lines: StatementLine[]; nextCursor: string | null }> {
  const rows = await rowsWhere(db, 'billingEntry', { statementId: id })
    .where('seq', '>', Number(cursor ?? 0))
    .select(['seq as number', 'kind', 'description', 'occurredAt', 'durationMs', 'reference'])
    .select('amountMicros as micros')
    .orderBy('seq')
    .limit(LINES)
    .execute()
  const lines = rows.map((row) => ({ ...withAmount(row), currency }))
  return { lines, nextCursor: rows.length === LINES ? String(rows.at(-1)?.number) : null }
}
