// A database as the first release left it, for tests of what migrations make of its rows.
import { join } from 'node:path'
import { type Kysely, type Migration, sql } from 'kysely'
import { openDatabase } from '../../src/database/database.ts'
import { up } from '../../src/database/migrations/001-schema.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import type { Tables } from '../../src/database/tables.ts'
import { type DatabaseKind, makeEmptyPlace } from './databases.ts'

export const AT = '2026-01-01T00:00:00.000Z'

/** Adds a row with what its columns must have: texts, flags and amounts of no matter. */
export type Insert = (table: string, given: Record<string, unknown>) => Promise<void>

/** Opens it with this version, once `fill` has written its rows. */
export async function openUpgraded(kind: DatabaseKind, fill: (insert: Insert) => Promise<void>) {
  const place = await makeEmptyPlace(kind)
  const location = place.databaseUrl ?? join(place.dataDir, 'mindgate.db')
  const options = { location, maxConnections: 1, busyDeadlineMs: 5_000, onIdleError: () => undefined }
  const db = place.databaseUrl ? openPostgres(options) : openSqlite(location).writer
  const schema: Migration = { up }
  await schema.up(db)
  await sql`create table "kysely_migration" ("name" varchar(255) primary key, "timestamp" varchar(255) not null)`.execute(
    db
  )
  await sql`insert into "kysely_migration" values ('001-schema', ${AT})`.execute(db)
  await fill((table, given) => insertRow(db, table, given))
  await db.destroy()
  const database = await openDatabase(options)
  return {
    database,
    async close() {
      await database.close()
      await place.remove()
    }
  }
}

async function insertRow(db: Kysely<Tables>, table: string, given: Record<string, unknown>): Promise<void> {
  const tables = await db.introspection.getTables()
  const columns = tables.find(({ name }) => name === table)?.columns ?? []
  const row = new Map<string, unknown>(Object.entries(given))
  for (const { name, dataType, isNullable, hasDefaultValue } of columns) {
    if (row.has(name) || isNullable || hasDefaultValue) continue
    row.set(name, /int|real|double|numeric/i.test(dataType) ? 0 : name.endsWith('At') ? AT : '[]')
  }
  await sql`insert into ${sql.table(table)} (${sql.join([...row.keys()].map((name) => sql.ref(name)))})
    values (${sql.join([...row.values()])})`.execute(db)
}
