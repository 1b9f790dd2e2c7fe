// draft → closed → billed → void. Every step locks the customer's account first: a line is posted before it, or elsewhere.
import { sql, type Updateable } from 'kysely'
import { GRACE_MS, lockAccount, postLines, settleStatement } from '../billing/ledger.ts'
import { fromNow, now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import { changeWhere, rowsWhere } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { tell } from '../webhooks/events.ts'
import { findStatement, type StatementRow } from './store.ts'

/**
 * Closes drafts whose days of grace are over, those that ended first before others, and answers their ids. Each gets the
 * next number of its partner.
 */
export async function closeDue(tx: WriteHandle, limit: number, partnerId?: string) {
  let due = tx
    .selectFrom('statement')
    .innerJoin('customer', 'customer.id', 'statement.customerId')
    .where('statement.status', '=', sql.lit('draft'))
    .where('statement.endsAt', '<=', fromNow(-GRACE_MS))
  if (partnerId !== undefined) due = due.where('statement.partnerId', '=', partnerId)
  const found = await due
    .select(['statement.id', 'statement.customerId'])
    .orderBy('statement.endsAt')
    .limit(limit)
    .execute()
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return ids
  const customers = new Set(found.map(({ customerId }) => customerId))
  for (const customerId of [...customers].toSorted()) await lockAccount(tx, customerId)
  // Another process may have closed some until the lock was ours.
  const drafts = await rowsWhere(tx, 'statement', { status: 'draft' })
    .where('id', 'in', ids)
    .select(['id', 'partnerId'])
    .orderBy('partnerId')
    .orderBy('endsAt')
    .orderBy('id')
    .execute()
  for (const draft of drafts) {
    const { statementCount: number } = await changeWhere(tx, 'partner', { id: draft.partnerId })
      .set((eb) => ({ statementCount: eb('statementCount', '+', 1) }))
      .returning('statementCount')
      .executeTakeFirstOrThrow()
    await change(tx, draft, { status: 'closed', number, closedAt: now() })
  }
  return drafts.map(({ id }) => id)
}

/** What is done with a closed statement. */
export type Step = (tx: WriteHandle, partnerId: string, statementId: string) => Promise<StatementRow>

/**
 * Takes a closed statement off the balance: it is billed.
 *
 * @throws ServiceError `statement_not_found`, `wrong_statement_status`
 */
export const billStatement: Step = async (tx, partnerId, statementId) => {
  const statement = await lockStatement(tx, partnerId, statementId, ['closed'], 'be marked as billed')
  await takeOff(tx, statement, 'billed', `Statement ${statement.number} was billed`)
  return change(tx, statement, { status: 'billed', billedAt: now() })
}

/**
 * Takes a closed or billed statement back: its total is owed on the open statement instead. What was closed and not billed
 * goes off the balance by a `void` entry first; what was billed is off it already.
 *
 * @throws ServiceError `statement_not_found`, `wrong_statement_status`
 */
export const voidStatement: Step = async (tx, partnerId, statementId) => {
  const statement = await lockStatement(tx, partnerId, statementId, ['closed', 'billed'], 'be taken back')
  const { id, status, totalMicros: amountMicros, number } = statement
  if (status === 'closed') await takeOff(tx, statement, 'void', `Statement ${number} was taken back`)
  const description = `From statement ${number}, which was taken back`
  const line = { amountMicros, reference: `${id}:again`, description, occurredAt: now() }
  if (amountMicros !== 0) await postLines(tx, statement, [{ kind: 'adjustment', ...line }])
  return change(tx, statement, { status: 'void', voidedAt: now() })
}

async function takeOff(
  tx: WriteHandle,
  statement: StatementRow,
  kind: 'billed' | 'void',
  description: string
) {
  const { id, totalMicros } = statement
  if (totalMicros === 0) return
  const line = { amountMicros: -totalMicros, reference: `${id}:${kind}`, description, occurredAt: now() }
  await settleStatement(tx, statement, id, { kind, ...line })
}

const IN_WORDS: Record<StatementRow['status'], string> = {
  draft: 'still takes lines',
  closed: 'is closed',
  billed: 'is billed already',
  void: 'was taken back'
}

/** @throws ServiceError `statement_not_found`, `wrong_statement_status` */
async function lockStatement(
  tx: WriteHandle,
  partnerId: string,
  statementId: string,
  from: readonly StatementRow['status'][],
  act: string
): Promise<StatementRow> {
  const { customerId } = await findStatement(tx, partnerId, statementId)
  await lockAccount(tx, customerId)
  const statement = await findStatement(tx, partnerId, statementId)
  if (from.includes(statement.status)) return statement
  const name = statement.number === null ? 'This statement' : `Statement ${statement.number}`
  throw new ServiceError('wrong_statement_status', `${name} can’t ${act}: it ${IN_WORDS[statement.status]}.`)
}

const EVENT_OF = { closed: 'statement.closed', billed: 'statement.billed', void: 'statement.voided' } as const

async function change(
  tx: WriteHandle,
  { id, partnerId }: { id: string; partnerId: string },
  columns: Updateable<Tables['statement']> & { status: keyof typeof EVENT_OF }
): Promise<StatementRow> {
  await tx.updateTable('statement').set(columns).where('id', '=', id).execute()
  const statement = await findStatement(tx, partnerId, id)
  const { customerId } = statement
  await tell(tx, partnerId, EVENT_OF[columns.status], { customerId, statementId: id })
  return statement
}
