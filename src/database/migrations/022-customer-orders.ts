// Orders in which a partner's customers are listed, beside the newest first.
import { type Kysely, PostgresAdapter } from 'kysely'
import * as t from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Of bytes, whichever language the database is in: so the order is the same on both.
  const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? ' collate "C"' : ''
  const index = (name: string, expression: string) =>
    `create index "${name}" on "customer" ("partnerId", (${expression})${bytes}, "id")`
  await t.running([
    index('customerByName', 'substr("searchText", 1, 60)'),
    index('customerByCompany', `lower(coalesce("companyName", ''))`)
  ])(db)
}
