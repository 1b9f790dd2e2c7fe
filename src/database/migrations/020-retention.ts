import { type Kysely, sql } from 'kysely'

/** By what the sweeps find what has grown old, and how much each chat holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // When a newer deploy of its instance began.
  await db.schema.alterTable('deploy').addColumn('supersededAt', 'text').execute()
  await sql`update "deploy" set "supersededAt" = (
    select min("later"."createdAt") from "deploy" as "later"
    where "later"."instanceId" = "deploy"."instanceId" and "later"."number" > "deploy"."number")`.execute(db)
  for (const [table, column] of [
    ['audit', 'createdAt'],
    ['mail', 'finishedAt'],
    ['accessLink', 'expiresAt'],
    ['rateLimit', 'expire']
  ] as const) {
    await db.schema.createIndex(`${table}ByAge`).on(table).column(column).execute()
  }
  // What is still needed isn't in these: no sweep reads past it again and again.
  await sql`create index "deployByAge" on "deploy" ("supersededAt")
    where ("keyAlias" is null or "keyRevokedAt" is not null)`.execute(db)
  await sql`create index "chatExchangeByAge" on "chatExchange" ("createdAt") where "state" <> 'waiting'`.execute(
    db
  )
  await sql`create index "creditReservationByAge" on "creditReservation" ("createdAt")
    where "status" <> 'held' and "answer" is null`.execute(db)
  // SQLite sums it from here, without a look at the texts.
  await sql`create index "chatExchangeSize" on "chatExchange"
    ("instanceId", "seq", (octet_length("message") + coalesce(octet_length("reply"), 0)))`.execute(db)
}
