import type { Kysely } from 'kysely'

/** Who works on the answer to an Idempotency-Key, and until when, where the work goes beyond the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite adds one column a statement.
  for (const column of ['leaseOwner', 'leaseExpiresAt'])
    await db.schema.alterTable('idempotency').addColumn(column, 'text').execute()
}
