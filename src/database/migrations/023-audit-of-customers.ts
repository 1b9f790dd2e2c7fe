// Whose customer's timeline each act belongs to.
import { type Kysely, PostgresAdapter } from 'kysely'
import * as t from './statements.ts'

/** By kind of target, where its customer stands: what is gone by now belongs to none. */
const THINGS = {
  team_member: 'teamMember',
  mind: 'mind',
  customer_token: 'customerToken',
  connected_app: 'connectedApp',
  instance: 'instance',
  statement: 'statement'
}

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await t.running([
    // No table can be altered while deferred triggers wait for its rows.
    ...(isPostgres ? ['set constraints all immediate'] : []),
    ...t.added('audit', ...t.textOrNull('customerId')),
    `update "audit" set "customerId" = "targetId" where "targetType" = 'customer' and "targetId" <> 'erased'`,
    ...Object.entries(THINGS).map(
      ([type, table]) => `update "audit" set "customerId" =
        (select "customerId" from "${table}" where "id" = "audit"."targetId") where "targetType" = '${type}'`
    ),
    `${t.index('auditByCustomer', 'audit', 'customerId', 'partnerId', 'createdAt', 'id')} where "customerId" is not null`
  ])(db)
}
