// A database from before there were credits.
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, Migrator, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { expect, it } from 'vitest'
import { now } from '../../src/clock.ts'
import { openDatabase } from '../../src/database/database.ts'
import * as partnerApi from '../../src/database/migrations/001-partner-api.ts'
import type { Tables } from '../../src/database/tables.ts'
import { databases, makeEmptyPlace } from '../support/databases.ts'
import { expectCreditsToAddUp } from './invariants.ts'

it.each(databases)('gives every partner of an older database 1,000 credits, on %s', async (kind) => {
  const place = await makeEmptyPlace(kind)
  const location = place.databaseUrl ?? join(place.dataDir, 'mindgate.db')
  const old = new Kysely<Tables>({
    dialect: place.databaseUrl
      ? new PostgresDialect({ pool: new pg.Pool({ connectionString: place.databaseUrl }) })
      : new SqliteDialect({ database: new Sqlite(location) })
  })
  const provider = { getMigrations: async () => ({ '001-partner-api': partnerApi }) }
  expect((await new Migrator({ db: old, provider }).migrateToLatest()).error).toBeUndefined()
  for (const id of ['prt_a', 'prt_b']) {
    await old
      .insertInto('partner')
      .values({
        id,
        slug: id.replace('_', '-'),
        name: 'Acme',
        email: 'ops@acme.example',
        isActive: 1,
        hasAiMemory: 1,
        models: '[]',
        brand: '{}',
        priceModel: null,
        portalOrigin: null,
        createdAt: now(),
        updatedAt: now()
      })
      .execute()
  }
  await old.destroy()

  const database = await openDatabase({
    location,
    maxConnections: 2,
    busyDeadlineMs: 5_000,
    onIdleError: () => undefined
  })
  const accounts = await database.read
    .selectFrom('creditAccount')
    .select(['id', 'partnerId', 'customerId', 'balanceMicros', 'noticedThresholdMicros'])
    .orderBy('id')
    .execute()
  expect(accounts).toEqual(
    ['prt_a', 'prt_b'].map((id) => ({
      id,
      partnerId: id,
      customerId: null,
      balanceMicros: 1_000_000_000,
      noticedThresholdMicros: null
    }))
  )
  await expectCreditsToAddUp(database.read)
  await database.close()
  await place.remove()
})
