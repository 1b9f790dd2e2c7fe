import type { Kysely } from 'kysely'

/** Who is signed in to a portal or to the console, and how often signing in failed (§3). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('door', 'text', (c) => c.notNull())
    .addColumn('tokenHash', 'text', (c) => c.notNull().unique())
    .addColumn('identityId', 'text', (c) => c.references('identity.id').onDelete('cascade'))
    .addColumn('customerId', 'text', (c) => c.references('customer.id').onDelete('cascade'))
    .addColumn('teamMemberId', 'text', (c) => c.references('teamMember.id').onDelete('cascade'))
    .addColumn('partnerUserId', 'text', (c) => c.references('partnerUser.id').onDelete('cascade'))
    .addColumn('mustChangePassword', 'integer', (c) => c.notNull())
    .addColumn('userAgent', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('lastSeenAt', 'text', (c) => c.notNull())
    .addColumn('idleExpiresAt', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .execute()
  for (const column of ['partnerId', 'identityId', 'customerId', 'teamMemberId', 'partnerUserId']) {
    const name = `sessionBy${column.charAt(0).toUpperCase()}${column.slice(1, -2)}`
    await db.schema.createIndex(name).on('session').column(column).execute()
  }
  await db.schema.createIndex('sessionIdleExpiry').on('session').column('idleExpiresAt').execute()

  await db.schema
    .createTable('signInFailure')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('endsAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('signInFailureEnd').on('signInFailure').column('endsAt').execute()

  // A host is one partner's.
  await db.schema.createIndex('partnerPortalOrigin').unique().on('partner').column('portalOrigin').execute()
}
