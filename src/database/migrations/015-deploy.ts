import { type Kysely, sql } from 'kysely'

/** Deploys of the CLI agent on instances (§4C): how far each is, and what has to be taken back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deploy')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('instanceId', 'text', (c) => c.notNull().references('instance.id').onDelete('cascade'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('phase', 'text', (c) => c.notNull())
    .addColumn('statusBefore', 'text', (c) => c.notNull())
    .addColumn('isReinstall', 'integer', (c) => c.notNull())
    .addColumn('businessName', 'text', (c) => c.notNull())
    .addColumn('model', 'text')
    .addColumn('attempt', 'integer', (c) => c.notNull())
    .addColumn('keyAlias', 'text')
    .addColumn('keyRevokedAt', 'text')
    .addColumn('tokenId', 'text')
    .addColumn('sealedTelegram', 'text')
    .addColumn('steps', 'text', (c) => c.notNull())
    .addColumn('log', 'text', (c) => c.notNull())
    .addColumn('logOffset', 'integer', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('leaseOwner', 'text')
    .addColumn('leaseExpiresAt', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .addColumn('finishedAt', 'text')
    .addUniqueConstraint('deployNumber', ['instanceId', 'number'])
    .execute()
  await db.schema.createIndex('deployByPartner').on('deploy').column('partnerId').execute()
  // The few that are under way; and one at a time on an instance, whatever happens to its status.
  await sql`create unique index "deployUnderWay" on "deploy" ("instanceId") where "finishedAt" is null`.execute(
    db
  )
  // Keys that may be alive: one for each instance, and those that are still to be revoked.
  await sql`create index "deployKeyAlive" on "deploy" ("instanceId", "number")
    where "keyAlias" is not null and "keyRevokedAt" is null`.execute(db)
}
