import type { Kysely } from 'kysely'

/** From where accounts were signed in to: strangers can't shut those networks out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('knownNetwork')
    .addColumn('network', 'text', (c) => c.primaryKey())
    .addColumn('account', 'text', (c) => c.notNull())
    .addColumn('lastUsedAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('knownNetworkOfAccount')
    .on('knownNetwork')
    .columns(['account', 'lastUsedAt'])
    .execute()
  await db.schema.createIndex('knownNetworkAge').on('knownNetwork').column('lastUsedAt').execute()
}
