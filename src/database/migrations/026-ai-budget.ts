import { type Kysely, sql } from 'kysely'

/** What agents used of their token budgets (§4C), and a partner's own budgets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('partner').addColumn('aiBudgets', 'text').execute()
  // Whose agent it was, also once its server is gone.
  await db.schema
    .alterTable('aiUsage')
    .addColumn('customerId', 'text', (c) => c.references('customerContent.id').onDelete('cascade'))
    .execute()
  await sql`update "aiUsage" set "customerId" = (
    select "customerId" from "instance" where "id" = "aiUsage"."instanceId")`.execute(db)
  await db.schema
    .createIndex('aiUsageByCustomer')
    .on('aiUsage')
    .columns(['customerId', 'createdAt'])
    .execute()
  await db.schema
    .createTable('aiSpending')
    .addColumn('ownerId', 'text', (c) => c.notNull())
    .addColumn('period', 'text', (c) => c.notNull())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('customerId', 'text', (c) => c.references('customer.id').onDelete('cascade'))
    .addColumn('tokens', 'bigint', (c) => c.notNull())
    .addColumn('endsAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('aiSpendingKey', ['ownerId', 'period'])
    .execute()
  await db.schema.createIndex('aiSpendingByCustomer').on('aiSpending').column('customerId').execute()
  await db.schema.createIndex('aiSpendingByAge').on('aiSpending').column('endsAt').execute()
}
