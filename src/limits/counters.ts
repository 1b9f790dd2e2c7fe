import { createHash } from 'node:crypto'
import pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Counter } from './budget.ts'
import { createSharedCounter } from './shared-counter.ts'

export type Counters = ReturnType<typeof openCounters>

/** The counters send few, short statements: two connections keep up with any number of requests. */
const CONNECTIONS = 2
const ANSWER_WITHIN_MS = 1_000

export function openCounters(config: Config, log: Log) {
  const { databaseLocation, rateWindowSeconds: windowSeconds } = config
  if (!/^postgres(ql)?:/.test(databaseLocation)) {
    return { counterFor: () => createMemoryCounter(windowSeconds), close: async () => undefined }
  }
  // Connections of its own, so that counting neither waits for the service's work nor takes connections from it; and
  // without waiting for the disk, since what a crash loses is a count of a minute.
  const pool = new pg.Pool({
    connectionString: databaseLocation,
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
  const store = {
    // A digest: whose window it is outlives nobody who is erased.
    add: counterOf(limiter, (key) => createHash('sha256').update(key).digest('base64url')),
    isClosed: () => pool.ending
  }
  return {
    /** A counter whose keys no other one has; nobody waits for the database while a key is far from `quota`. */
    counterFor: (quota: number) => createSharedCounter(store, { quota, windowSeconds, log }),
    close: () => pool.end()
  }
}

/** Counts in this process. A window leaves the memory when it ends. */
export const createMemoryCounter = (windowSeconds: number): Counter =>
  counterOf(new RateLimiterMemory({ points: 0, duration: windowSeconds, keyPrefix: '' }))

/** `penalty` counts without refusing; who counts decides. */
const counterOf =
  (limiter: RateLimiterMemory | RateLimiterPostgres, nameOf = (key: string) => key): Counter =>
  async (key, requests = 1) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(nameOf(key), requests)
    return { used: consumedPoints, msLeft: msBeforeNext }
  }
