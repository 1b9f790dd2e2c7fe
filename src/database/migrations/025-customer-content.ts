import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { contentTriggers } from './021-mind-content.ts'

/** Where a customer can have very many rows, or mails that lie as files, and the index by which they are found. */
const REHUNG = [
  { table: 'usage', index: 'usageByCustomer', columns: ['customerId', 'billedAt'] },
  { table: 'creditAccount', index: 'creditAccountByCustomer', columns: ['customerId'] },
  { table: 'creditReservation', index: 'creditReservationByCustomer', columns: ['customerId'] },
  { table: 'mail', index: 'mailByCustomer', columns: ['customerId'] }
] as const

/**
 * What takes long to delete of a customer hangs on `customerContent` from now on: the record goes at once, and a worker
 * deletes the rest by and by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('customerContent')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull())
    .addColumn('isErased', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('traces', 'text')
    .execute()
  await sql`insert into "customerContent" ("id", "partnerId") select "id", "partnerId" from "customer"`.execute(
    db
  )
  await sql`create index "customerContentErased" on "customerContent" ("id") where "isErased" = 1`.execute(db)
  // SQLite can't change a column's reference.
  for (const { table, index, columns } of REHUNG) {
    await sql`alter table ${sql.table(table)} add column "holderId" text
      references "customerContent" ("id") on delete cascade`.execute(db)
    await sql`update ${sql.table(table)} set "holderId" = "customerId"`.execute(db)
    await db.schema.dropIndex(index).ifExists().execute()
    await db.schema.alterTable(table).dropColumn('customerId').execute()
    await db.schema.alterTable(table).renameColumn('holderId', 'customerId').execute()
    await db.schema
      .createIndex(index)
      .on(table)
      .columns([...columns])
      .execute()
  }
  await freeMindContent(db)
  await contentTriggers(db, 'customer', ['id', 'partnerId'], 'isErased')
  await db.schema.createIndex('auditByTarget').on('audit').column('targetId').execute()
  await db.schema
    .createIndex('teamMemberByEmail')
    .on('teamMember')
    .columns(['partnerId', 'emailKey'])
    .execute()
}

/** What forgotten Minds leave is deleted by its own worker, whether or not their customer is still there. */
async function freeMindContent(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const name of ['contentOfMind', 'contentOfForgottenMind'])
    await sql.raw(isPostgres ? `drop function "${name}" cascade` : `drop trigger "${name}"`).execute(db)
  await db.schema.alterTable('mindContent').dropColumn('customerId').execute()
  await contentTriggers(db, 'mind', ['key', 'id', 'partnerId'], 'isForgotten')
}
