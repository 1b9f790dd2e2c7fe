// SQLite: one connection that writes, one that reads, in WAL mode on the same file.
import { realpathSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  Kysely,
  type QueryResult,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement
} from 'kysely'
import { checkpoint } from './checkpoint.ts'
import { translated } from './faults.ts'
import { requireOutside } from './guard.ts'
import { guarded } from './guarded.ts'
import { keepPrivate } from './sqlite-files.ts'
import type { Tables } from './tables.ts'
import { createWalSync } from './wal-sync.ts'

export interface Handles {
  reader: Kysely<Tables>
  writer: Kysely<Tables>
  /** By the writer so far. */
  rowsWritten(): number
  /** Resolves when what was committed survives a power cut. @throws ServiceError `database_unavailable` */
  reachDisk(): Promise<void>
  /** The same for who has written nothing. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** No writer stops a read, but recovery after a crash can. A write never waits in place: that blocks the event loop. */
const READ_BUSY_TIMEOUT_MS = 100

const STATEMENT_CACHE_SIZE = 500

/** Makes a missing file. @throws SqliteError `SQLITE_BUSY` while another process makes the tables of a fresh one */
export function openSqlite(
  file: string,
  checkpointApart: (file: string) => Promise<boolean> = async (path) => checkpoint(path)
): Handles {
  keepPrivate(file)
  const [writeConnection, readConnection] = connectTwice(file)
  const writing = new SqliteDialect({ database: cachingStatements(writeConnection) })
  // A deferred transaction that reads first fails at once with SQLITE_BUSY_SNAPSHOT beside another writer.
  const writer = new Kysely<Tables>({ dialect: guarded(writing, 'begin immediate') })
  // Statements on the reader autocommit one by one, so it needs no turn-taking with an open write transaction.
  readConnection.pragma('query_only = ON')
  const changes = writeConnection.prepare<[], number>('select total_changes()').pluck()
  // Beside a linked file's target SQLite keeps its log.
  const path = realpathSync(file)
  const wal = createWalSync(path, () => checkpointApart(path))
  return {
    writer,
    reader: readHandleOn(readConnection),
    rowsWritten: () => changes.get() ?? 0,
    reachDisk: wal.reach,
    settled: wal.settled,
    async close() {
      await wal.close()
      await writer.destroy()
      readConnection.close()
    }
  }
}

function readHandleOn(connection: Sqlite.Database): Kysely<Tables> {
  const database = cachingStatements(connection)
  const dialect = new SqliteDialect({ database })
  return new Kysely({
    config: { dialect },
    dialect,
    driver: dialect.createDriver(),
    executor: new ReadExecutor(dialect, database)
  })
}

/** Kysely's driver takes turns on its connection, which a statement that is over before anything else begins doesn't need. */
class ReadExecutor extends DefaultQueryExecutor {
  readonly #database: SqliteDatabase

  constructor(dialect: SqliteDialect, database: SqliteDatabase) {
    super(dialect.createQueryCompiler(), dialect.createAdapter(), {
      provideConnection: () => Promise.reject(new Error('The read handle runs single selects only'))
    })
    this.#database = database
  }

  override async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    requireOutside()
    try {
      // As in Kysely's own driver, the query's type says what its rows are.
      return { rows: this.#database.prepare(sql).all(parameters) as Row[] }
    } catch (error) {
      throw translated(error)
    }
  }
}

/** Of which both are closed where either can't be opened. */
function connectTwice(file: string): [Sqlite.Database, Sqlite.Database] {
  const opened: Sqlite.Database[] = []
  const connect = (timeout: number) => {
    const connection = new Sqlite(file, { timeout })
    opened.push(connection)
    connection.pragma('journal_mode = WAL')
    // In place it is for what comes too fast to be taken in beside the event loop.
    connection.pragma('wal_autocheckpoint = 10000')
    // Only that a commit survives a power cut is left to us: it is acknowledged when it has reached the disk.
    connection.pragma('synchronous = NORMAL')
    connection.pragma('foreign_keys = ON')
    // What is forgotten is overwritten in the file, not only unlinked (measured: it costs nothing).
    connection.pragma('secure_delete = ON')
    return connection
  }
  try {
    return [connect(0), connect(READ_BUSY_TIMEOUT_MS)]
  } catch (error) {
    for (const connection of opened) connection.close()
    throw error
  }
}

/** Kysely prepares each statement anew; this keeps the most recently used ones (measured: 45k → 82k reads a second). */
function cachingStatements(connection: Sqlite.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => connection.close(),
    prepare(sql) {
      const statement = statements.get(sql) ?? (connection.prepare(sql) as SqliteStatement)
      // The last one is the most recently used.
      statements.delete(sql)
      statements.set(sql, statement)
      const oldest = statements.size > STATEMENT_CACHE_SIZE ? statements.keys().next().value : undefined
      if (oldest !== undefined) statements.delete(oldest)
      return statement
    }
  }
}
