import type { Kysely } from 'kysely'

/** Keys of the embedded AI gateway and what they used (§4C). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('aiKey')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('instanceId', 'text', (c) => c.notNull().references('instance.id').onDelete('cascade'))
    .addColumn('alias', 'text', (c) => c.notNull().unique())
    .addColumn('hashPrefix', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('models', 'text', (c) => c.notNull())
    .addColumn('revokedAt', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .execute()
  for (const column of ['hashPrefix', 'instanceId', 'partnerId']) {
    const name = `aiKeyBy${column.charAt(0).toUpperCase()}${column.slice(1)}`
    await db.schema.createIndex(name).on('aiKey').column(column).execute()
  }

  await db.schema
    .createTable('aiUsage')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('instanceId', 'text', (c) => c.notNull())
    .addColumn('keyId', 'text', (c) => c.notNull())
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('promptTokens', 'bigint')
    .addColumn('completionTokens', 'bigint')
    .addColumn('durationMs', 'bigint', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('aiUsageByKey').on('aiUsage').columns(['keyId', 'createdAt']).execute()
  await db.schema.createIndex('aiUsageByPartner').on('aiUsage').columns(['partnerId', 'createdAt']).execute()
  await db.schema.createIndex('aiUsageByAge').on('aiUsage').column('createdAt').execute()
}
