import { once } from 'node:events'
import { Socket } from 'node:net'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { guarded } from './guarded.ts'
import { createPreparing } from './prepared.ts'
import type { Tables } from './tables.ts'
import { beginWait } from './waits.ts'

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
const LONGEST_SILENCE_MS = STATEMENT_TIMEOUT_MS + 5_000
const CLOSE_TIMEOUT_MS = 2_000

/** int8 and numeric arrive as text; every number that we keep is below 2^53. */
const NUMBERS_AS_TEXT = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

const numbersAsNumbers: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (NUMBERS_AS_TEXT.has(oid) ? Number : pg.types.getTypeParser(oid, format))
}

export interface DatabaseOptions {
  /** `postgres://…`, or the path of the SQLite file. */
  location: string
  maxConnections: number
  /** Whether PostgreSQL keeps the plans of statements that come again and again. */
  prepares?: boolean
  /** How long a writer waits for another process, or for another transaction's lock, before it gives up. */
  busyDeadlineMs: number
  /** Runs SQLite's checkpoint of that file somewhere off the event loop; where it is left out, SQLite does so in place. */
  checkpoint?: (file: string) => Promise<boolean>
  /** Told of a broken idle connection, which is replaced; without a listener it would end the process. */
  onIdleError(error: Error): void
}

/** @param silenceMs a server that is silent for so long is gone, though nobody closed the connection */
export function openPostgres(options: DatabaseOptions, silenceMs = LONGEST_SILENCE_MS): Kysely<Tables> {
  // 0 would be for ever.
  const lockTimeoutMs = Math.max(1, options.busyDeadlineMs)
  const pool = new pg.Pool({
    connectionString: options.location,
    max: options.maxConnections,
    // It is also how long one waits for a connection that others use, who may be waiting for a lock.
    connectionTimeoutMillis: Math.max(CONNECT_TIMEOUT_MS, lockTimeoutMs),
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'mindgate',
    // Our statements are short: compiling one takes longer than running it (measured: 22 of 29 ms).
    options: '-c jit=off',
    types: numbersAsNumbers,
    stream: () => {
      const socket = new Socket()
      return socket.setTimeout(silenceMs, () => socket.destroy())
    }
  })
  pool.on('error', options.onIdleError)
  // The pool takes its own listener from a connection that it closes; what the server still says then concerns nobody,
  // but without any listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  // A pooler may drop what a connection says at its start, and a writer would wait for ever.
  const begin = `begin; set local lock_timeout = ${lockTimeoutMs}`
  return new Kysely({
    dialect: guarded(
      new PostgresDialect({ pool: closingWhole(pool, createPreparing(options.prepares ?? false)) }),
      begin
    )
  })
}

/** The pool's own end only tells each connection to close; what the server says until then would be an idle error. */
function closingWhole(pool: pg.Pool, prepared: ReturnType<typeof createPreparing>): PostgresPool {
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  return {
    connect: async () => prepared(await pool.connect().finally(beginWait())),
    async end() {
      await pool.end()
      const signal = AbortSignal.timeout(CLOSE_TIMEOUT_MS)
      // A server that no longer answers keeps nobody from closing.
      while (open.size > 0 && !signal.aborted) await once(pool, 'remove', { signal }).catch(() => undefined)
    }
  }
}
