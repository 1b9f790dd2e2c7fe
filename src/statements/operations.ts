import type { z } from 'zod'
import {
  CloseStatementsResult,
  CustomerStatementPath,
  ListStatementLines,
  ListStatements,
  StatementActResult,
  StatementLines,
  StatementPage,
  StatementPath,
  StatementResult
} from '../../schemas/statement.ts'
import type { Caller } from '../caller.ts'
import { ADDS, CHANGES, defineOperation, type OperationContext } from '../operation.ts'
import { nextTurn } from '../slices.ts'
import { billStatement, closeDue, type Step, voidStatement } from './life.ts'
import { findStatement, linesAfter, pageOfStatements, shownStatement, statementDocument } from './store.ts'

const GROUP = 'Statements'
type Context = OperationContext<z.input<typeof StatementActResult>>

export const listStatements = defineOperation({
  name: 'statement_list',
  title: 'List statements',
  summary: 'Returns what customers owe of each month, newest first; drafts with their sum so far.',
  scope: 'billing:read',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: { method: 'get', path: '/statements', group: GROUP },
  input: ListStatements,
  output: StatementPage,
  handle: ({ db }, { partnerId }, asked) => pageOfStatements(db, partnerId, asked)
})

export const getStatement = defineOperation({
  name: 'statement_get',
  title: 'Get a statement',
  summary: 'Returns one statement with its sums by kind and by agent.',
  scope: 'billing:read',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: { method: 'get', path: '/statements/{statementId}', group: GROUP },
  input: CustomerStatementPath,
  output: StatementResult,
  async handle({ db }, { partnerId }, { statementId, customerId }) {
    return { data: await statementDocument(db, partnerId, statementId, customerId) }
  }
})

export const listStatementLines = defineOperation({
  name: 'statement_lines',
  title: 'Export the lines of a statement',
  summary: 'Returns every line of a statement in the order in which it was written, one JSON object a line.',
  scope: 'billing:read',
  channels: ['rest', 'console', 'portal'],
  http: { method: 'get', path: '/statements/{statementId}/lines', group: GROUP },
  lines: 'lines',
  input: ListStatementLines,
  output: StatementLines,
  async handle({ db }, { partnerId }, { statementId, customerId, cursor }) {
    const statement = await findStatement(db, partnerId, statementId, customerId)
    // Whoever reads as fast as it can lets others in between.
    await nextTurn()
    return linesAfter(db, statement, cursor)
  }
})

/** Some 20 ms. */
const CLOSED_AT_ONCE = 100

export const closeStatements = defineOperation({
  name: 'statement_close',
  title: 'Close statements',
  summary:
    'Closes drafts whose three days of grace are over, and numbers them. It also happens by itself, within an hour.',
  scope: 'billing:write',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'post', path: '/statements/close', group: GROUP },
  output: CloseStatementsResult,
  annotations: ADDS,
  async write(tx, ctx, { partnerId }) {
    const closed = await closeDue(tx, CLOSED_AT_ONCE, partnerId)
    for (const targetId of closed)
      await ctx.audit(tx, { targetType: 'statement', targetId, fields: ['status'] })
    const count = closed.length === 1 ? '1 statement was' : `${closed.length} statements were`
    return {
      message: `${count} closed.`,
      data: { closed: closed.length, hasMore: closed.length === CLOSED_AT_ONCE }
    }
  }
})

/** What is done with one statement. */
const ACT = {
  scope: 'billing:write',
  channels: ['rest', 'console'],
  input: StatementPath,
  output: StatementActResult,
  errors: ['statement_not_found', 'wrong_statement_status']
} as const

export const billStatementOperation = defineOperation({
  name: 'statement_mark_billed',
  title: 'Mark a statement as billed',
  summary: 'Takes a closed statement off what the customer owes unbilled: you have sent your invoice for it.',
  ...ACT,
  http: { method: 'post', path: '/statements/{statementId}/bill', group: GROUP },
  annotations: ADDS,
  handle: (ctx, caller, { statementId }) => step(ctx, caller, statementId, billStatement, 'marked as billed')
})

export const voidStatementOperation = defineOperation({
  name: 'statement_void',
  title: 'Take a statement back',
  summary:
    'Takes a closed or billed statement back for good. What it says is owed on the open statement instead, as one adjustment.',
  ...ACT,
  http: { method: 'post', path: '/statements/{statementId}/void', group: GROUP },
  annotations: CHANGES,
  handle: (ctx, caller, { statementId }) => step(ctx, caller, statementId, voidStatement, 'taken back')
})

const step = (ctx: Context, { partnerId }: Caller, statementId: string, take: Step, done: string) =>
  ctx.transaction(async (tx) => {
    const statement = await take(tx, partnerId, statementId)
    await ctx.audit(tx, { targetType: 'statement', targetId: statementId, fields: ['status'] })
    return { message: `Statement ${statement.number} was ${done}.`, data: shownStatement(statement) }
  })

export const statementOperations = [
  listStatements,
  getStatement,
  listStatementLines,
  closeStatements,
  billStatementOperation,
  voidStatementOperation
]
