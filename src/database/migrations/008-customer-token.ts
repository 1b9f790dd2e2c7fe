import type { Kysely } from 'kysely'

/** Bearer tokens of customers' agents (§5). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('customerToken')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('customerId', 'text', (c) => c.notNull().references('customer.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text')
    .addColumn('lastUsedAt', 'text')
    .addColumn('revokedAt', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('customerTokenByPrefix').on('customerToken').column('prefix').execute()
  await db.schema.createIndex('customerTokenByCustomer').on('customerToken').column('customerId').execute()
}
