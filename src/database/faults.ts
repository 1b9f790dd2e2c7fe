// What a database's own errors mean, for both databases alike.
import { ServiceError } from '../errors.ts'

const UNIQUE_VIOLATION = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])

export const isUniqueViolation = (error: unknown): boolean => UNIQUE_VIOLATION.has(codeOf(error))

/** A lock is held, a deadlock, a statement took too long, or what a row refers to (23503) was deleted meanwhile. */
const LOCKED = /^(?:SQLITE_BUSY|55P03|40P01|40001|57014|23503)/

/** A connection knows no statement of that name, has one already, or its plan no longer fits the tables. */
export const isUnknownName = (error: unknown): boolean =>
  /^(?:26000|42P05)$/.test(codeOf(error)) ||
  (error instanceof Error && /^cached plan must/.test(error.message))

/** A disk that is full, broken or read-only; a server that is lost or refuses us. A damaged file heals by no waiting. */
const AWAY =
  /^(?:SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL|PERM)|08\w{3}$|28\w{3}$|3D000|25006|53\w{3}$|57P0\d|58030|E(?:CONN\w+|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|(?:HOST|NET)(?:UNREACH|DOWN)|NOENT|ACCES)$)/

/** What the driver says without a code. */
const LOST =
  /^(?:Connection terminated|timeout e|Client has encountered a connection error|Client was closed and is not queryable)/

/** The error in the service's words, with itself as the cause, where the database is locked or away; else as it is. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError) return error
  const code = codeOf(error)
  // Without the name it works.
  if (LOCKED.test(code) || isUnknownName(error)) return databaseBusy(error)
  return AWAY.test(code) || LOST.test(error.message) ? unreachable(error) : error
}

export const unreachable = (cause: unknown): ServiceError =>
  new ServiceError('database_unavailable', undefined, { retryAfterSeconds: 5, cause })

/** What a writer is told that waited too long. */
export const databaseBusy = (cause?: unknown): ServiceError =>
  new ServiceError('database_busy', undefined, { retryAfterSeconds: 1, cause })

export const isBusy = (error: unknown): error is ServiceError => codeOf(error) === 'database_busy'

export const isMissingTable = (error: unknown): boolean =>
  codeOf(error) === '42P01' || (error instanceof Error && error.message.startsWith('no such table'))

/** It can't be reached, or can't be written to, for now. */
export const isAway = (error: unknown): error is ServiceError => codeOf(error) === 'database_unavailable'

/** What to change in the pooler that refuses; `undefined` where none does. */
export function poolerRemedy(error: unknown): string | undefined {
  const cause = isAway(error) ? error.cause : error
  const message = cause instanceof Error ? cause.message : ''
  if (message.includes('statement pooling mode'))
    return 'PgBouncer’s pool_mode is statement, which has no transactions. Set pool_mode = transaction, or session.'
  if (message.includes('startup parameter'))
    return 'PgBouncer refuses our start-up parameters. Set ignore_startup_parameters = options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout.'
  return undefined
}

/** What a driver or the operating system calls an error, such as `SQLITE_BUSY`; '' where it has no such name. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
