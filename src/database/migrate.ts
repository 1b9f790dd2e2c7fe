import { type Kysely, type Migration, sql } from 'kysely'
import { now } from '../clock.ts'
import type { Database } from './database.ts'
import { isMissingTable } from './faults.ts'
import * as partnerApi from './migrations/001-partner-api.ts'
import * as idempotencyLease from './migrations/002-idempotency-lease.ts'
import * as providerKey from './migrations/003-provider-key.ts'
import * as rateLimit from './migrations/004-rate-limit.ts'
import * as memory from './migrations/005-memory.ts'
import * as fact from './migrations/006-fact.ts'
import * as credits from './migrations/007-credits.ts'
import * as customerToken from './migrations/008-customer-token.ts'
import * as memoryImport from './migrations/009-memory-import.ts'
import * as postingCascade from './migrations/010-posting-cascade.ts'
import * as session from './migrations/011-session.ts'
import * as brandLogo from './migrations/012-brand-logo.ts'
import * as instance from './migrations/013-instance.ts'
import * as aiGateway from './migrations/014-ai-gateway.ts'
import * as deploy from './migrations/015-deploy.ts'
import * as chat from './migrations/016-chat.ts'
import * as mindJob from './migrations/017-mind-job.ts'
import * as embedding from './migrations/018-embedding.ts'
import * as honcho from './migrations/019-honcho.ts'
import * as retention from './migrations/020-retention.ts'
import * as mindContent from './migrations/021-mind-content.ts'
import * as knownNetwork from './migrations/022-known-network.ts'
import * as granted from './migrations/023-granted.ts'
import * as leaseOwner from './migrations/024-lease-owner.ts'
import * as customerContent from './migrations/025-customer-content.ts'
import * as aiBudget from './migrations/026-ai-budget.ts'
import type { Tables } from './tables.ts'

/** Named and shaped as Kysely's own migrator did. */
type Applied = { kysely_migration: { name: string; timestamp: string } }

/** Every migration, in order. Applied ones are never edited: a change is a new migration. */
const migrations: Record<string, Migration> = {
  '001-partner-api': partnerApi,
  '002-idempotency-lease': idempotencyLease,
  '003-provider-key': providerKey,
  '004-rate-limit': rateLimit,
  '005-memory': memory,
  '006-fact': fact,
  '007-credits': credits,
  '008-customer-token': customerToken,
  '009-memory-import': memoryImport,
  '010-posting-cascade': postingCascade,
  '011-session': session,
  '012-brand-logo': brandLogo,
  '013-instance': instance,
  '014-ai-gateway': aiGateway,
  '015-deploy': deploy,
  '016-chat': chat,
  '017-mind-job': mindJob,
  '018-embedding': embedding,
  '019-honcho': honcho,
  '020-retention': retention,
  '021-mind-content': mindContent,
  '022-known-network': knownNetwork,
  '023-granted': granted,
  '024-lease-owner': leaseOwner,
  '025-customer-content': customerContent,
  '026-ai-budget': aiBudget
}

/** The names of every migration, in order, as the database keeps those that were applied. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** Any number that nothing else locks in this database. */
const LOCK = 3_714_205_921
/** Another process's migrations, and one statement of them, may take longer than others. */
export const LONGEST_WAIT_MS = 600_000

/**
 * Applies what is missing in one transaction under a lock that ends with it: an advisory lock on PostgreSQL, the write
 * lock on SQLite. Where nothing is missing nothing is locked.
 *
 * @throws Error when a migration fails, or when the database was written by a newer version
 */
export async function migrate(database: Kysely<Tables>, kind: Database['kind']): Promise<void> {
  const db = database.withTables<Applied>()
  // On PostgreSQL in a transaction: a pooler that refuses those is found out at the start.
  const seen = kind === 'postgres' ? db.transaction().execute(missing) : missing(db)
  const names = await seen.catch((error: unknown) => {
    if (isMissingTable(error)) return migrationNames
    throw error
  })
  if (names.length === 0) return
  await db.transaction().execute(async (tx) => {
    const lock = `set local lock_timeout = ${LONGEST_WAIT_MS}; set local statement_timeout = ${LONGEST_WAIT_MS};
      select pg_advisory_xact_lock(${LOCK}); set local lock_timeout to default`
    if (kind === 'postgres') await sql.raw(lock).execute(tx)
    await tx.schema
      .createTable('kysely_migration')
      .ifNotExists()
      .addColumn('name', 'varchar(255)', (c) => c.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (c) => c.notNull())
      .execute()
    for (const name of await missing(tx)) {
      await migrations[name]?.up(tx)
      await tx.insertInto('kysely_migration').values({ name, timestamp: now() }).execute()
    }
  })
}

async function missing(db: Kysely<Tables & Applied>): Promise<readonly string[]> {
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  const unknown = rows.find(({ name }, index) => name !== migrationNames[index])
  if (unknown)
    throw new Error(`The database was written by a newer version (${unknown.name}). Start that one`)
  return migrationNames.slice(rows.length)
}
