import type { Kysely } from 'kysely'

/** What was forgotten and is still to be deleted at Honcho. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('honchoRemoval')
    .addColumn('serverUrl', 'text', (c) => c.notNull())
    .addColumn('workspaceId', 'text', (c) => c.notNull())
    .addColumn('sessionId', 'text', (c) => c.notNull())
    .addColumn('dueAt', 'text', (c) => c.notNull())
    .addColumn('settledAt', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('lastError', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('honchoRemovalKey', ['workspaceId', 'sessionId', 'serverUrl'])
    .execute()
  await db.schema
    .createIndex('honchoRemovalDue')
    .on('honchoRemoval')
    .columns(['serverUrl', 'dueAt'])
    .execute()
}
