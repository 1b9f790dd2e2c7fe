import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { now } from '../clock.ts'
import { isAway, isBusy, translated } from './faults.ts'
import { insideTransaction } from './guard.ts'
import { LONGEST_WAIT_MS, migrate } from './migrate.ts'
import { type DatabaseOptions, openPostgres } from './postgres.ts'
import { type Handles, openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { createWriteLine } from './write-line.ts'

/** Selects only; a transaction serves as one too. */
export type ReadHandle = Pick<Kysely<Tables>, 'selectFrom' | 'getExecutor'>

export type WriteHandle = Transaction<Tables>

export interface Database {
  kind: 'sqlite' | 'postgres'
  /** Refuses with `database_busy` or `database_unavailable` what can't be read for now. */
  read: ReadHandle
  /**
   * Runs `work` in one write transaction and commits it, or rolls all of it back. `work` may run again after a
   * deadlock, so it does nothing but use its handle. Where one write waits for the other, partners take turns by
   * `partnerId`; what is written for none in particular is one among them.
   * @throws ServiceError `database_busy` when its turn, or a lock, doesn't come in time; `database_unavailable` when it
   * can't be reached or written, and where it was lost at the commit, that may be done
   */
  transaction<T>(work: (tx: WriteHandle) => Promise<T>, partnerId?: string): Promise<T>
  /** Resolves when what was committed, and can be read, survives a power cut. @throws ServiceError `database_unavailable` */
  settled(): Promise<void>
  /** Whether writes got through of late, or do now: to know, one is tried every five seconds at most. */
  takesWrites(): Promise<boolean>
  close(): Promise<void>
}

/** Opens the database and brings its tables up to date, under a lock that other processes starting now respect. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const isPostgres = /^postgres(ql)?:\/\//.test(options.location)
  const kind = isPostgres ? 'postgres' : 'sqlite'
  const { busyDeadlineMs, checkpoint } = options
  const { reader, writer, rowsWritten, reachDisk, settled, close } = isPostgres
    ? onePool(options)
    : await retrying(async () => openSqlite(options.location, checkpoint), busyDeadlineMs)
  try {
    await retrying(() => (isPostgres ? migrateApart(options) : migrate(writer, false)), busyDeadlineMs)
  } catch (error) {
    await close()
    throw error
  }
  const inTurn = createWriteLine(busyDeadlineMs, isPostgres ? options.maxConnections : 1)
  let areTaken = true
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = (taken: boolean) => {
    areTaken = taken
    toldAt = performance.now()
  }
  const database: Database = {
    kind,
    read: reader,
    async transaction(work, partnerId = '') {
      try {
        const { result, afterCommit, hasWritten } = await inTurn(partnerId, async (leftMs) => {
          const before = rowsWritten()
          const done = await retrying(() => runTransaction(writer, work), leftMs)
          return { ...done, hasWritten: rowsWritten() !== before }
        })
        try {
          await (hasWritten ? reachDisk() : settled())
        } finally {
          // It stands, whatever the disk says.
          for (const action of afterCommit) action()
        }
        return result
      } catch (error) {
        if (isAway(error)) tell(false)
        throw error
      }
    },
    settled,
    async takesWrites() {
      if (performance.now() - toldAt > TRIED_AGAIN_MS) {
        tell(areTaken)
        await tryWrite(database)
          .then(() => tell(true))
          .catch(() => undefined)
      }
      return areTaken
    },
    close
  }
  return database
}

const TRIED_AGAIN_MS = 5_000

/** SQLite writes nothing that is there already: the row differs each time. */
export const tryWrite = ({ transaction }: Database): Promise<unknown> =>
  transaction((tx) => {
    const row = tx.insertInto('setting').values({ name: 'lastTriedWrite', value: now() })
    return row.onConflict((known) => known.column('name').doUpdateSet({ value: now() })).execute()
  })

/** On a connection of its own, which may be silent for as long as one statement of a migration takes. */
async function migrateApart(options: DatabaseOptions): Promise<void> {
  const pool = openPostgres({ ...options, maxConnections: 1 }, 2 * LONGEST_WAIT_MS)
  await migrate(pool, true).finally(() => pool.destroy())
}

function onePool(options: DatabaseOptions): Handles {
  const pool = openPostgres(options)
  // There a commit has reached the disk.
  const settled = async () => undefined
  const close = () => pool.destroy()
  return { reader: pool, writer: pool, rowsWritten: () => 0, reachDisk: settled, settled, close }
}

const runTransaction = <T>(writer: Kysely<Tables>, work: (tx: WriteHandle) => Promise<T>) =>
  writer.transaction().execute((tx) => insideTransaction(() => work(tx)))

const FIRST_RETRY_MS = 2
/** SQLite doesn't queue writers: who asks seldom is outrun by another process that writes much. */
const LONGEST_RETRY_MS = 25

/** Waits off the event loop for a locked database; a deadlock's victim starts over. */
async function retrying<T>(attempt: () => Promise<T>, deadlineMs: number): Promise<T> {
  const startedAt = performance.now()
  for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
    try {
      return await attempt()
    } catch (thrown) {
      const error = translated(thrown)
      const leftMs = deadlineMs - (performance.now() - startedAt)
      if (!isBusy(error) || leftMs <= 0) throw error
      await sleep(Math.min(leftMs, delayMs * (0.5 + Math.random())))
    }
  }
}
