// One query layer over both databases: a handle that reads, and the only way to write.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { databaseBusy, isBusy, isTransient } from './faults.ts'
import { insideTransaction } from './guard.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { createWriteLine, type WriteLine } from './write-line.ts'

/** Selects only; a transaction serves as one too. */
export type ReadHandle = Pick<Kysely<Tables>, 'selectFrom' | 'getExecutor'>

/** The inside of a write transaction. */
export type WriteHandle = Transaction<Tables>

export interface Database {
  kind: 'sqlite' | 'postgres'
  read: ReadHandle
  /**
   * Runs `work` in one write transaction and commits it, or rolls all of it back. `work` may run again after a
   * deadlock, so it does nothing but use its handle. On SQLite, where one write waits for the other, partners take turns
   * by `partnerId`; what is written for none in particular is one among them.
   *
   * @throws ServiceError `database_busy` when another process keeps the database locked
   */
  transaction<T>(work: (tx: WriteHandle) => Promise<T>, partnerId?: string): Promise<T>
  close(): Promise<void>
}

/** What either kind of database opens. */
export interface Handles {
  reader: ReadHandle
  writer: Kysely<Tables>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** `postgres://…`, or the path of the SQLite file. */
  location: string
  maxConnections: number
  /** How long a writer waits for another process, or for another transaction's lock, before it gives up. */
  busyDeadlineMs: number
  onIdleError(error: Error): void
}

/** Opens the database and brings its tables up to date, under a lock that other processes starting now respect. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const isPostgres = /^postgres(ql)?:\/\//.test(options.location)
  const kind = isPostgres ? 'postgres' : 'sqlite'
  const { busyDeadlineMs } = options
  const { reader, writer, close } = isPostgres
    ? onePool(options)
    : await retrying(async () => openSqlite(options.location), busyDeadlineMs)
  try {
    await retrying(() => migrate(writer, kind), busyDeadlineMs)
  } catch (error) {
    await close()
    throw error
  }
  const inTurn: WriteLine = isPostgres ? (_, write) => write(busyDeadlineMs) : createWriteLine(busyDeadlineMs)
  return {
    kind,
    read: reader,
    transaction: (work, partnerId = '') =>
      inTurn(partnerId, (leftMs) => retrying(() => runTransaction(writer, work), leftMs)),
    close
  }
}

function onePool(options: DatabaseOptions): Handles {
  const pool = openPostgres(options.location, { ...options, lockTimeoutMs: options.busyDeadlineMs })
  return { reader: pool, writer: pool, close: () => pool.destroy() }
}

async function runTransaction<T>(writer: Kysely<Tables>, work: (tx: WriteHandle) => Promise<T>): Promise<T> {
  const { result, afterCommit } = await writer
    .transaction()
    .execute((tx) => insideTransaction(() => work(tx)))
  for (const action of afterCommit) action()
  return result
}

const FIRST_RETRY_MS = 2
/** SQLite doesn't queue writers: who asks seldom is outrun by another process that writes much. */
const LONGEST_RETRY_MS = 25

/** Waits off the event loop for a locked database; a deadlock's victim starts over. */
async function retrying<T>(attempt: () => Promise<T>, deadlineMs: number): Promise<T> {
  const startedAt = performance.now()
  for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isTransient(error)) throw error
      const leftMs = deadlineMs - (performance.now() - startedAt)
      if (leftMs <= 0) throw isBusy(error) ? databaseBusy(error) : error
      await sleep(Math.min(leftMs, delayMs * (0.5 + Math.random())))
    }
  }
}
