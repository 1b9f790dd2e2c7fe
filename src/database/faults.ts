// What a database's own errors mean, for both databases alike.

const UNIQUE_VIOLATION = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])
const DEADLOCK_OR_SERIALIZATION = new Set(['40P01', '40001'])

/** Whether an insert or update met a row with the same unique key. */
export const isUniqueViolation = (error: unknown): boolean => UNIQUE_VIOLATION.has(codeOf(error))

/** Whether another process holds SQLite's write lock. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY')

/** Whether the same transaction may succeed if it is run again. */
export const isTransient = (error: unknown): boolean =>
  isBusy(error) || DEADLOCK_OR_SERIALIZATION.has(codeOf(error))

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
