import { type Kysely, sql } from 'kysely'

/** What customers and the agents on their servers said to each other (§4C). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chatThread')
    .addColumn('instanceId', 'text', (c) => c.primaryKey().references('instance.id').onDelete('cascade'))
    .addColumn('partnerId', 'text', (c) => c.notNull())
    .addColumn('lastSeq', 'integer', (c) => c.notNull())
    .addColumn('sessionId', 'text')
    .execute()
  await db.schema
    .createTable('chatExchange')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull())
    .addColumn('instanceId', 'text', (c) => c.notNull().references('instance.id').onDelete('cascade'))
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reply', 'text')
    .addColumn('code', 'text')
    .addColumn('hasStarted', 'integer')
    .addColumn('sessionId', 'text')
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('deadlineAt', 'text', (c) => c.notNull())
    .addColumn('cancelRequestedAt', 'text')
    .addColumn('answeredAt', 'text')
    .addUniqueConstraint('chatExchangePlace', ['instanceId', 'seq'])
    .addUniqueConstraint('chatExchangeOnce', ['instanceId', 'key'])
    .execute()
  // The few that wait, not all that ever was.
  await sql`create index "chatExchangeWaiting" on "chatExchange" ("deadlineAt") where "state" = 'waiting'`.execute(
    db
  )
}
