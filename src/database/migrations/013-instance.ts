import type { Kysely } from 'kysely'

/** Customers' virtual servers (§4C). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('instance')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('customerId', 'text', (c) => c.notNull().references('customer.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('root', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('hostKey', 'text', (c) => c.notNull())
    .addColumn('publicKey', 'text', (c) => c.notNull())
    .addColumn('privateKeySealed', 'text', (c) => c.notNull())
    .addColumn('agentName', 'text')
    .addColumn('model', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .addUniqueConstraint('instancePlace', ['partnerId', 'host', 'port', 'root'])
    .execute()
  await db.schema.createIndex('instanceByCustomer').on('instance').column('customerId').execute()
  await db.schema
    .createIndex('instanceByPartner')
    .on('instance')
    .columns(['partnerId', 'createdAt', 'id'])
    .execute()
}
