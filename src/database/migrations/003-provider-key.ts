import type { Kysely } from 'kysely'

/** Partners' sealed keys at their voice-agent providers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('providerKey')
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('sealedKey', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('providerKeyKey', ['partnerId', 'provider'])
    .execute()
}
