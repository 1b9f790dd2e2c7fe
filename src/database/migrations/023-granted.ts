import { type Kysely, sql } from 'kysely'

/** What whoever deploys may do with the memory, and which tokens a customer made itself. */
export async function up(db: Pick<Kysely<unknown>, 'schema' | 'getExecutor'>): Promise<void> {
  // A deploy that is under way was begun when it gave both.
  await db.schema
    .alterTable('deploy')
    .addColumn('memoryScopes', 'text', (c) => c.notNull().defaultTo('["memory:read","memory:write"]'))
    .execute()
  await db.schema
    .alterTable('customerToken')
    .addColumn('isSelfMinted', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update "customerToken" set "isSelfMinted" = 1 where exists (
    select 1 from "audit" inner join "identity" on "identity"."id" = "audit"."actor"
    where "audit"."action" = 'customer_token_mint' and "audit"."targetId" = "customerToken"."id")`.execute(db)
}
