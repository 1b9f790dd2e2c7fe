import type { Kysely } from 'kysely'

/**
 * How much of its budget each API key has spent. Used where several processes share the database; rate-limiter-flexible
 * writes it and wants just these three columns, in this order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rateLimit')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('points', 'integer', (c) => c.notNull())
    .addColumn('expire', 'bigint', (c) => c.notNull())
    .execute()
}
