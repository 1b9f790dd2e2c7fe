import type { Kysely } from 'kysely'

/** The logo that a partner's portal shows, as it is served. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('brandLogo')
    .addColumn('partnerId', 'text', (c) => c.primaryKey().references('partner.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('image', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .execute()
}
