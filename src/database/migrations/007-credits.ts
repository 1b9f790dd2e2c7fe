import { type Kysely, sql } from 'kysely'

/** Balances, the append-only ledger, and reservations; an account for every partner that is there already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db)
  await createEntries(db)
  await createReservations(db)
  await openAccounts(db)
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('creditAccount')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('customerId', 'text', (c) => c.references('customer.id').onDelete('cascade'))
    .addColumn('balanceMicros', 'bigint', (c) => c.notNull())
    .addColumn('entryCount', 'bigint', (c) => c.notNull())
    .addColumn('noticedThresholdMicros', 'bigint')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    // What every debit asks first holds even where one should forget to.
    .addCheckConstraint('creditAccountNotBelowZero', sql`"balanceMicros" >= 0`)
    .execute()
  await db.schema.createIndex('creditAccountByPartner').on('creditAccount').column('partnerId').execute()
  await db.schema.createIndex('creditAccountByCustomer').on('creditAccount').column('customerId').execute()
}

async function createEntries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('creditEntry')
    .addColumn('accountId', 'text', (c) => c.notNull().references('creditAccount.id').onDelete('cascade'))
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('partnerId', 'text', (c) => c.notNull())
    .addColumn('customerId', 'text')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('amountMicros', 'bigint', (c) => c.notNull())
    .addColumn('balanceAfterMicros', 'bigint', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('reference', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('creditEntryKey', ['accountId', 'seq'])
    // Whatever is retried, nothing is paid twice.
    .addUniqueConstraint('creditEntryOnce', ['accountId', 'reference', 'kind'])
    .execute()
}

async function createReservations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('creditReservation')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('partnerId', 'text', (c) => c.notNull().references('partner.id').onDelete('cascade'))
    .addColumn('customerId', 'text', (c) => c.notNull().references('customer.id').onDelete('cascade'))
    .addColumn('mindId', 'text', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('partnerMicros', 'bigint', (c) => c.notNull())
    .addColumn('customerMicros', 'bigint', (c) => c.notNull())
    .addColumn('usageMicros', 'bigint', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('answer', 'text')
    .addColumn('answerErasedAt', 'text')
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('settledAt', 'text')
    .execute()
  await db.schema
    .createIndex('creditReservationByPartner')
    .on('creditReservation')
    .column('partnerId')
    .execute()
  await db.schema
    .createIndex('creditReservationByCustomer')
    .on('creditReservation')
    .column('customerId')
    .execute()
  // The few that are held and the day's answers, not all that ever was.
  await sql`create index "creditReservationHeld" on "creditReservation" ("expiresAt") where "status" = 'held'`.execute(
    db
  )
  await sql`create index "creditAnswerByMind" on "creditReservation" ("mindId") where "answer" is not null`.execute(
    db
  )
  await sql`create index "creditAnswerByAge" on "creditReservation" ("settledAt") where "answer" is not null`.execute(
    db
  )
}

/** Partners from before there were credits start with 1,000, the default of CREDITS_INITIAL: no environment here. */
async function openAccounts(db: Kysely<unknown>): Promise<void> {
  const at = sql.lit(new Date().toISOString())
  await sql`insert into "creditAccount" ("id", "partnerId", "balanceMicros", "entryCount", "createdAt", "updatedAt")
    select "id", "id", 1000000000, 1, ${at}, ${at} from "partner"`.execute(db)
  await sql`insert into "creditEntry" ("accountId", "seq", "partnerId", "kind", "amountMicros", "balanceAfterMicros",
    "operation", "reference", "createdAt")
    select "id", 1, "partnerId", 'initial', 1000000000, 1000000000, 'partner_create', "id", ${at}
    from "creditAccount"`.execute(db)
}
