// A process of its own that copies and checks a SQLite file: SQLite keeps its thread until it is done, so only this way
// can a command show how far it is, and be ended in the middle.
import Sqlite from 'better-sqlite3'
import { BackupError } from './backup-error.ts'
import { inspectSqlite } from './inspect-sqlite.ts'
import type { Outcome } from './sqlite-backup.ts'

/** How long to wait for a recovery that another process is busy with. */
const BUSY_TIMEOUT_MS = 10_000

const [, , copy = '', source] = process.argv

try {
  if (source !== undefined) copyFrom(source)
  tell({ stamp: inspectSqlite(copy) })
} catch (error) {
  if (!(error instanceof Error)) throw error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  tell({ message: error.message, code, isOurs: error instanceof BackupError })
}

/**
 * Writes every row anew, as it is at this moment, while others go on writing. A copy page by page would be no faster
 * and would take along what deletions leave between the rows of a page: `secure_delete` overwrites a deleted row, but
 * not the copies of it that were left when rows moved to another page.
 */
function copyFrom(file: string): void {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  try {
    connection.prepare('vacuum into ?').run(copy)
  } finally {
    connection.close()
  }
}

function tell(outcome: Outcome): void {
  process.send?.(outcome)
}
