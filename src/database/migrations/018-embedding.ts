import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** What memories mean, as vectors of a model. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const embedding = db.schema
    .createTable('embedding')
    .addColumn('mindKey', 'integer', (c) => c.notNull().references('mind.key').onDelete('cascade'))
    .addColumn('block', 'integer', (c) => c.notNull())
    .addColumn('vectors', isPostgres ? 'bytea' : 'blob', (c) => c.notNull())
    .addPrimaryKeyConstraint('embeddingKey', ['mindKey', 'block'])
  // A search reads all of a Mind's, so they lie together. PostgreSQL has nothing like it.
  await (isPostgres ? embedding : embedding.modifyEnd(sql`without rowid`)).execute()
}
