import { type Kysely, sql } from 'kysely'

/** What each Mind knows, fact by fact, with the memory that says so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fact')
    .addColumn('mindKey', 'integer', (c) => c.notNull().references('mind.key').onDelete('cascade'))
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('slot', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('isRetraction', 'integer', (c) => c.notNull())
    .addColumn('isStated', 'integer', (c) => c.notNull())
    .addColumn('tier', 'integer', (c) => c.notNull())
    .addColumn('occurredAt', 'text', (c) => c.notNull())
    .addColumn('headTier', 'integer')
    .addColumn('replaced', 'text')
    .addPrimaryKeyConstraint('factKey', ['mindKey', 'seq', 'part'])
    .execute()
  await db.schema
    .createIndex('factBySlot')
    .on('fact')
    .columns(['mindKey', 'slot', 'isRetraction', 'occurredAt', 'seq', 'part'])
    .execute()
  // The heads alone: a slot has one at most, and what Recall reads stays small however much was superseded.
  await sql`create unique index "factHeadOfSlot" on "fact" ("mindKey", "slot") where "headTier" is not null`.execute(
    db
  )
  await sql`create index "factHeadByTier" on "fact" ("mindKey", "headTier", "occurredAt", "seq", "part") where "headTier" is not null`.execute(
    db
  )
}
