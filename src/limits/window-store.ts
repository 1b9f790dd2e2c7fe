// The windows in PostgreSQL, where every process sees them.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Use } from './rate-limits.ts'

export interface WindowStore {
  /**
   * Adds requests to a key's window and tells what it then holds.
   *
   * @throws Error when the database doesn't answer within two seconds
   */
  add(key: string, requests: number): Promise<Use>
  close(): Promise<void>
}

/** The counters send few, short statements: two connections keep up with any number of requests. */
const CONNECTIONS = 2
const ANSWER_WITHIN_MS = 1_000

/**
 * Opens connections of its own, so that counting neither waits for the service's work nor takes connections from it;
 * and without waiting for the disk, since what a crash loses is a count of a minute.
 */
export function openWindowStore(url: string, windowSeconds: number): WindowStore {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    statement_timeout: ANSWER_WITHIN_MS,
    options: '-c synchronous_commit=off',
    application_name: 'mindgate limits'
  })
  // Without a listener a lost idle connection would end the process; the next statement tells of it.
  pool.on('error', () => undefined)
  const limiter = new RateLimiterPostgres({
    // A statement that the library names would stay with one connection, and a pooler changes that one.
    storeClient: { query: ({ name: _, ...query }: pg.QueryConfig) => pool.query(query) },
    storeType: 'pool',
    tableName: 'rateLimit',
    // Made by a migration, and swept with everything else that ends.
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: '',
    points: 0,
    duration: windowSeconds
  })
  return {
    async add(key, requests) {
      // A digest: whose window it is outlives nobody who is erased.
      const name = createHash('sha256').update(key).digest('base64url')
      const { consumedPoints, msBeforeNext } = await limiter.penalty(name, requests)
      return { used: consumedPoints, msLeft: msBeforeNext }
    },
    close: () => pool.end()
  }
}
