// What was owed before there were statements stands on the first ones.
import { join } from 'node:path'
import { type Kysely, type Migration, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { up } from '../../src/database/migrations/001-schema.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import type { Tables } from '../../src/database/tables.ts'
import { databases, makeEmptyPlace } from '../support/databases.ts'

const AT = '2026-01-01T00:00:00.000Z'

/** A row with what its columns must have: texts, flags and amounts of no matter. */
async function insert(db: Kysely<Tables>, table: string, given: Record<string, unknown>): Promise<void> {
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

describe.each(databases)('a database from before statements on %s', (kind) => {
  it('keeps what was not billed as lines of a draft, and drops what was', async () => {
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
    await insert(db, 'partner', { id: 'prt_1', slug: 'acme', email: 'a@example.com', priceModel: null })
    for (const id of ['cus_1', 'cus_2', 'cus_3'])
      await insert(db, 'customer', {
        id,
        partnerId: 'prt_1',
        code: id,
        email: id,
        emailKey: id,
        billingType: 'Postpaid'
      })
    const owed: [string, number, string | null][] = [
      ['cus_1', 1_500_000, null],
      ['cus_1', 250_001, null],
      ['cus_1', 9_000_000, AT],
      ['cus_2', 7, null],
      ['cus_3', 3, AT]
    ]
    for (const [index, [customerId, amountMicros, billedAt]] of owed.entries())
      await insert(db, 'usage', {
        id: `usg_${index}`,
        partnerId: 'prt_1',
        customerId,
        amountMicros,
        billedAt,
        occurredAt: AT
      })
    await db.destroy()

    const opened = await openDatabase(options)
    const accounts = await opened.read
      .selectFrom('billingAccount')
      .select(['customerId', 'balanceMicros', 'entryCount'])
      .orderBy('customerId')
      .execute()
    expect(accounts).toEqual([
      { customerId: 'cus_1', balanceMicros: 1_750_001, entryCount: 2 },
      { customerId: 'cus_2', balanceMicros: 7, entryCount: 1 }
    ])
    const lines = await opened.read
      .selectFrom('billingEntry')
      .innerJoin('statement', 'statement.id', 'billingEntry.statementId')
      .select([
        'billingEntry.customerId',
        'seq',
        'amountMicros',
        'kind',
        'status',
        'totalMicros',
        'statement.entryCount'
      ])
      .orderBy('billingEntry.customerId')
      .orderBy('seq')
      .execute()
    const draft = { kind: 'ai_credits', status: 'draft' }
    expect(lines).toMatchObject([
      {
        ...draft,
        customerId: 'cus_1',
        seq: 1,
        amountMicros: 1_500_000,
        totalMicros: 1_750_001,
        entryCount: 2
      },
      { ...draft, customerId: 'cus_1', seq: 2, amountMicros: 250_001 },
      { ...draft, customerId: 'cus_2', seq: 1, amountMicros: 7, totalMicros: 7, entryCount: 1 }
    ])
    await opened.close()
    await place.remove()
  })
})
