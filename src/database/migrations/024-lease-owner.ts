import { type Kysely, sql } from 'kysely'

/** Who holds what, to be found among all that nobody holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const fresh = ['honchoRemoval', 'creditReservation', 'chatExchange']
  for (const table of fresh) await db.schema.alterTable(table).addColumn('leaseOwner', 'text').execute()
  for (const table of ['mail', 'mindJob', 'deploy', 'idempotency', ...fresh]) {
    await sql`create index ${sql.id(`${table}Leased`)} on ${sql.table(table)} ("leaseOwner")
      where "leaseOwner" is not null`.execute(db)
  }
}
