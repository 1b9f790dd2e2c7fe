// Orders in which what customers have is listed, beside the newest first; what begins with a text is found by them, too.
import { type Kysely, PostgresAdapter } from 'kysely'
import * as t from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? ' collate "C"' : ''
  const index = (name: string, table: string, expression: string) =>
    `create index "${name}" on "${table}" ("partnerId", (${expression})${bytes}, "id")`
  await t.running([
    index('customerTokenByName', 'customerToken', 'lower("name")'),
    index('instanceByName', 'instance', 'lower("name")'),
    index('instanceByHost', 'instance', '"host"'),
    index('mailByRecipient', 'mail', 'lower("recipient")')
  ])(db)
}
