// What a database's own errors mean, for both databases alike.
import { ServiceError } from '../errors.ts'

const UNIQUE_VIOLATION = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])
const DEADLOCK_OR_SERIALIZATION = new Set(['40P01', '40001'])

/** Whether an insert or update met a row with the same unique key. */
export const isUniqueViolation = (error: unknown): boolean => UNIQUE_VIOLATION.has(codeOf(error))

/** Whether another process holds SQLite's write lock, or another transaction of PostgreSQL's a lock that is needed. */
export const isBusy = (error: unknown): boolean => /^(?:SQLITE_BUSY|55P03)/.test(codeOf(error))

/** What a writer is told that waited too long. */
export const databaseBusy = (cause?: unknown): ServiceError =>
  new ServiceError('database_busy', 'The database is locked by another process. Try again shortly.', {
    retryAfterSeconds: 1,
    cause
  })

/** Whether the same transaction may succeed if it is run again. */
export const isTransient = (error: unknown): boolean =>
  isBusy(error) || DEADLOCK_OR_SERIALIZATION.has(codeOf(error))

export const isMissingTable = (error: unknown): boolean =>
  codeOf(error) === '42P01' || (error instanceof Error && error.message.startsWith('no such table'))

/** Of PostgreSQL: lost or refused connections, a shutdown, too many clients, a statement that took too long. */
const OUTAGE = /^(?:08\w{3}|57P0[1-5]|57014|53300|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/

/** What the driver says without a code. */
const LOST = /^(?:Connection terminated|timeout exceeded when trying to connect)/

/** Whether the database can't be reached for now, or didn't answer in time. */
export const isOutage = (error: unknown): boolean =>
  OUTAGE.test(codeOf(error)) || (error instanceof Error && LOST.test(error.message))

/** What to change in the pooler that refuses; `undefined` where none does. */
export function poolerRemedy(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : ''
  if (message.includes('statement pooling mode'))
    return 'PgBouncer’s pool_mode is statement, which has no transactions. Set pool_mode = transaction, or session.'
  if (message.includes('startup parameter'))
    return 'PgBouncer refuses our start-up parameters. Set ignore_startup_parameters = options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout.'
  return undefined
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
