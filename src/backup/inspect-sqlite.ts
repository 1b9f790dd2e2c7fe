// What a SQLite file says of itself, once it has been checked from end to end.
import Sqlite from 'better-sqlite3'
import type { Stamp } from './backup.ts'
import { BackupError } from './backup-error.ts'

const MOST_NAMED = 3

/** Checks the file and makes it one that needs no other beside it. @throws BackupError when it is damaged */
export function inspectSqlite(file: string): Stamp {
  const connection = new Sqlite(file, { fileMustExist: true })
  try {
    connection.pragma('journal_mode = DELETE')
    const faults = [...brokenPages(connection), ...brokenReferences(connection)]
    if (faults.length > 0) throw new BackupError(`The database is damaged: ${faults.join('; ')}.`)
    return stampOf(connection)
  } catch (error) {
    if (!isDamage(error)) throw error
    throw new BackupError('The database is damaged: it can’t be read to its end.', { cause: error })
  } finally {
    connection.close()
  }
}

/** Whether SQLite can't make sense of a file. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)

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
