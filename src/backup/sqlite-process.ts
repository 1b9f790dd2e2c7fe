// A process of its own that copies and checks a SQLite file: SQLite keeps its thread until it is done, so only this way
// can a command show how far it is, and be ended in the middle.
import type Sqlite from 'better-sqlite3'
import { codeOf } from '../database/faults.ts'
import type { Stamp } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { type Outcome, withSqlite } from './sqlite-backup.ts'

/** How long to wait for a recovery that another process is busy with. */
const BUSY_TIMEOUT_MS = 10_000
const MOST_NAMED = 3

const [, , copy = '', source] = process.argv

try {
  if (source !== undefined) await copyFrom(source)
  tell({ stamp: await inspect() })
} catch (error) {
  if (!(error instanceof Error)) throw error
  tell({ message: error.message, code: codeOf(error), isOurs: error instanceof BackupError })
}

/**
 * Writes every row anew, as it is at this moment, while others go on writing. A copy page by page would be no faster
 * and would take along what deletions leave between the rows of a page: `secure_delete` overwrites a deleted row, but
 * not the copies of it that were left when rows moved to another page.
 */
function copyFrom(file: string) {
  return withSqlite(file, { timeout: BUSY_TIMEOUT_MS }, (connection) =>
    connection.prepare('vacuum into ?').run(copy)
  )
}

/** Checks the copy from end to end and makes it a file that needs no other beside it. @throws BackupError for damage */
function inspect() {
  const whenDamaged = 'The database is damaged: it can’t be read to its end.'
  return withSqlite(copy, { whenDamaged }, (connection) => {
    connection.pragma('journal_mode = DELETE')
    const faults = [...brokenPages(connection), ...brokenReferences(connection)]
    if (faults.length > 0) throw new BackupError(`The database is damaged: ${faults.join('; ')}.`)
    return stampOf(connection)
  })
}

function brokenPages(connection: Sqlite.Database): string[] {
  const rows = connection.prepare<[], string>(`pragma quick_check(${MOST_NAMED})`).pluck().all()
  return rows.filter((row) => row !== 'ok')
}

function brokenReferences(connection: Sqlite.Database): string[] {
  const tables = connection.prepare<[], string>('pragma foreign_key_check').pluck().all()
  return [...new Set(tables)].slice(0, MOST_NAMED).map((table) => `a row of ${table} points nowhere`)
}

function stampOf(connection: Sqlite.Database): Stamp {
  const texts = (query: string) => connection.prepare<[], string>(query).pluck().all()
  const tables = texts("select name from sqlite_schema where type = 'table'")
  const isOurs = tables.includes('kysely_migration') && tables.includes('setting')
  if (!isOurs) return { migrations: [], sealedBy: undefined }
  return {
    migrations: texts('select name from kysely_migration order by name'),
    sealedBy: texts("select value from setting where name = 'secretKeyFingerprint'")[0]
  }
}

function tell(outcome: Outcome): void {
  process.send?.(outcome)
}
