import { type Kysely, sql } from 'kysely'

/** What goes on behind each Mind, how far it is, what failed for good, and what models charged for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mindJob')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('mindKey', 'integer', (c) => c.notNull().references('mind.key').onDelete('cascade'))
    .addColumn('watermark', 'integer', (c) => c.notNull())
    .addColumn('waiting', 'integer', (c) => c.notNull())
    .addColumn('waitingSince', 'text')
    .addColumn('dueAt', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('refusals', 'integer', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('isUnsure', 'integer', (c) => c.notNull())
    .addColumn('leaseOwner', 'text')
    .addColumn('leaseExpiresAt', 'text')
    .addColumn('lastDoneAt', 'text')
    .addColumn('lastError', 'text')
    .addColumn('madeWith', 'text')
    .addPrimaryKeyConstraint('mindJobKey', ['kind', 'mindKey'])
    .execute()
  await sql`create index "mindJobDue" on "mindJob" ("kind", "dueAt") where "dueAt" is not null`.execute(db)
  await db.schema.createIndex('mindJobByMind').on('mindJob').column('mindKey').execute()

  await db.schema
    .createTable('mindJobFailure')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('mindKey', 'integer', (c) => c.notNull().references('mind.key').onDelete('cascade'))
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('error', 'text', (c) => c.notNull())
    .addColumn('isQueued', 'integer', (c) => c.notNull())
    .addColumn('failedAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('mindJobFailureKey', ['mindKey', 'kind', 'seq'])
    .execute()

  await db.schema
    .createTable('modelUsage')
    .addColumn('mindKey', 'integer', (c) => c.notNull().references('mind.key').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('calls', 'integer', (c) => c.notNull())
    .addColumn('inputTokens', 'bigint', (c) => c.notNull())
    .addColumn('outputTokens', 'bigint', (c) => c.notNull())
    .addColumn('costMicros', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('modelUsageKey', ['mindKey', 'day', 'purpose'])
    .execute()

  await db.schema
    .alterTable('fact')
    .addColumn('origin', 'text', (c) => c.notNull().defaultTo('rules'))
    .execute()
}
