import type { Kysely } from 'kysely'

/** How far imports into each Mind have come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memoryImport')
    .addColumn('mindKey', 'integer', (c) => c.notNull().references('mind.key').onDelete('cascade'))
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('memories', 'integer', (c) => c.notNull())
    .addColumn('isWhole', 'integer', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('memoryImportKey', ['mindKey', 'digest'])
    .execute()
}
