import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** Minds, their memories, and the postings by which memories are found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await mindTable(db)
  await memoryTable(db)
  await statisticsTables(db)
}

async function memoryTable(db: Kysely<unknown>): Promise<void> {
  const memory = db.schema
    .createTable('memory')
    .addColumn('mindKey', 'integer', (c) => c.notNull().references('mind.key').onDelete('cascade'))
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('contentHash', 'text', (c) => c.notNull())
    .addColumn('author', 'text')
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('opening', 'text', (c) => c.notNull())
    .addColumn('termCount', 'integer', (c) => c.notNull())
    .addColumn('postingCount', 'integer', (c) => c.notNull())
    .addColumn('turn', 'integer', (c) => c.notNull())
    .addColumn('traits', 'integer', (c) => c.notNull())
    .addColumn('dates', 'text')
    .addColumn('occurredAt', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    // Last: what the ranking reads of a row lies before it, on the row's own page.
    .addColumn('content', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('memoryKey', ['mindKey', 'seq'])
  await clustered(db, memory).execute()
  await db.schema
    .createIndex('memoryByContent')
    .on('memory')
    .columns(['mindKey', 'contentHash', 'createdAt'])
    .execute()
  await db.schema.createIndex('memoryByTime').on('memory').columns(['mindKey', 'occurredAt']).execute()
}

async function statisticsTables(db: Kysely<unknown>): Promise<void> {
  const posting = db.schema
    .createTable('posting')
    .addColumn('mindKey', 'integer', (c) => c.notNull())
    .addColumn('term', byteOrdered(db), (c) => c.notNull())
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('mark', 'integer', (c) => c.notNull())
  if (isPostgres(db)) {
    await posting.execute()
    // With the mark inside, a search reads the index alone.
    await sql`alter table "posting" add constraint "postingKey" primary key ("mindKey", "term", "seq") include ("mark")`.execute(
      db
    )
  } else {
    const keyed = posting.addPrimaryKeyConstraint('postingKey', ['mindKey', 'term', 'seq'])
    await clustered(db, keyed).execute()
  }

  await db.schema
    .createTable('mindStat')
    .addColumn('mindKey', 'integer', (c) => c.primaryKey().references('mind.key').onDelete('cascade'))
    .addColumn('memoryCount', 'integer', (c) => c.notNull())
    .addColumn('termCount', 'integer', (c) => c.notNull())
    .execute()

  const mindAuthor = db.schema
    .createTable('mindAuthor')
    .addColumn('mindKey', 'integer', (c) => c.notNull().references('mind.key').onDelete('cascade'))
    .addColumn('name', byteOrdered(db), (c) => c.notNull())
    .addColumn('memoryCount', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('mindAuthorKey', ['mindKey', 'name'])
  await clustered(db, mindAuthor).execute()
}

/** Rows in the order of their key, so that a Mind's lie together however many other Minds are told in between. */
function clustered<Table extends string>(db: Kysely<unknown>, table: CreateTableBuilder<Table, string>) {
  // PostgreSQL has nothing like it; there a cache for the whole database takes its place.
  return isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)
}

/** Text that sorts by its bytes, as SQLite's does, whatever the database's locale. */
const byteOrdered = (db: Kysely<unknown>) => (isPostgres(db) ? sql`text collate "C"` : 'text')

export async function mindTable(db: Kysely<unknown>): Promise<void> {
  const mind = db.schema
    .createTable('mind')
    // A key must never come back: what a deleted Mind left anywhere would become another one's.
    .addColumn('key', 'integer', (c) =>
      isPostgres(db) ? c.primaryKey().generatedAlwaysAsIdentity() : c.primaryKey().autoIncrement()
    )
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('customerId', 'text', (c) => c.notNull().references('customer.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('isPrimary', 'integer', (c) => c.notNull())
    .addColumn('memoryCount', 'integer', (c) => c.notNull())
    .addColumn('nextSeq', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
  await mind.execute()
  await db.schema.createIndex('mindByCustomer').on('mind').columns(['customerId', 'createdAt']).execute()
  await db.schema.createIndex('mindByPartner').on('mind').column('partnerId').execute()
  // Two first calls at once make one primary Mind.
  await sql`create unique index "primaryMindOfCustomer" on "mind" ("customerId") where "isPrimary" = 1`.execute(
    db
  )
}

const isPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter
