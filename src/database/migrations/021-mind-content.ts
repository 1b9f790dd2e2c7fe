import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { mindTable } from './005-memory.ts'

/**
 * What a Mind holds outlives the Mind's own row until all of it is deleted: a large one takes seconds. So whatever hung
 * on `mind` hangs on `mindContent` from now on, and whoever looks for a forgotten Mind in `mind` finds nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const index of ['mindByCustomer', 'mindByPartner', 'primaryMindOfCustomer'])
    await db.schema.dropIndex(index).execute()
  // References and triggers go with the name; SQLite has no other way to turn those of large tables.
  await db.schema.alterTable('mind').renameTo('mindContent').execute()
  await mindTable(db)
  await copyMinds(db, isPostgres)
  for (const column of [
    'name',
    'description',
    'isPrimary',
    'memoryCount',
    'nextSeq',
    'createdAt',
    'updatedAt'
  ])
    await db.schema.alterTable('mindContent').dropColumn(column).execute()
  await db.schema
    .alterTable('mindContent')
    .addColumn('isForgotten', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`create index "mindContentForgotten" on "mindContent" ("key") where "isForgotten" = 1`.execute(db)
  await contentTriggers(db, 'mind', ['key', 'id', 'partnerId', 'customerId'], 'isForgotten')
  await nameMindsOfAnswers(db)
}

async function copyMinds(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  const columns = sql.raw(
    '"key", "id", "partnerId", "customerId", "name", "description", "isPrimary", "memoryCount", "nextSeq", "createdAt", "updatedAt"'
  )
  const overriding = sql.raw(isPostgres ? 'overriding system value' : '')
  await sql`insert into "mind" (${columns}) ${overriding} select ${columns} from "mindContent"`.execute(db)
  // No key comes back, not even one of a Mind that is gone.
  if (isPostgres) {
    const next = sql`nextval(pg_get_serial_sequence('"mindContent"', 'key'))`
    await sql`select setval(pg_get_serial_sequence('mind', 'key'), ${next})`.execute(db)
    await sql`alter table "mindContent" alter column "key" drop identity`.execute(db)
  } else {
    await sql`delete from "sqlite_sequence" where "name" = 'mind'`.execute(db)
    await sql`update "sqlite_sequence" set "name" = 'mind' where "name" = 'mindContent'`.execute(db)
  }
}

/** What hangs on `{table}Content` outlives the row of `table` with which it comes, until somebody has deleted it all. */
export async function contentTriggers(
  db: Kysely<unknown>,
  table: 'mind' | 'customer',
  columns: readonly string[],
  gone: string
): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const create = async (name: string, event: string, statement: string) => {
    const body = `begin ${statement}; ${isPostgres ? 'return null; ' : ''}end`
    if (isPostgres) await run(`create function "${name}"() returns trigger language plpgsql as $$ ${body} $$`)
    const action = isPostgres ? `for each row execute function "${name}"()` : body
    await run(`create trigger "${name}" after ${event} on "${table}" ${action}`)
  }
  const values = columns.map((column) => `new."${column}"`).join(', ')
  const names = columns.map((column) => `"${column}"`).join(', ')
  const [key] = columns
  const title = `${table.charAt(0).toUpperCase()}${table.slice(1)}`
  await create(`contentOf${title}`, 'insert', `insert into "${table}Content" (${names}) values (${values})`)
  const mark = `update "${table}Content" set "${gone}" = 1 where "${key}" = old."${key}"`
  await create(`contentOfForgotten${title}`, 'delete', mark)
}

/** Tells of each kept answer which Mind it is from, so that they go together. */
async function nameMindsOfAnswers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency').addColumn('mindId', 'text').execute()
  await sql`
    create index "idempotencyByMind" on "idempotency" ("mindId", "partnerId", "operation", "key")
    where "mindId" is not null`.execute(db)
  await sql`
    update "idempotency" set "mindId" = "paid"."mindId"
    from (select distinct "partnerId", "answer", "mindId" from "creditReservation" where "answer" is not null) as "paid"
    where "idempotency"."operation" = 'memory_ask'
      and "paid"."partnerId" = "idempotency"."partnerId" and "paid"."answer" = "idempotency"."answer"`.execute(
    db
  )
  // What is left cost nothing: asked again, it is answered anew.
  await sql`
    delete from "idempotency"
    where "operation" = 'memory_ask' and "mindId" is null and "leaseOwner" is null`.execute(db)
}
