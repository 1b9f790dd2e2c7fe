// What the version before kept of plans, trials and billing types, read by this one.
import { join } from 'node:path'
import { type Migration, sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase, type WriteHandle } from '../../src/database/database.ts'
import { up } from '../../src/database/migrations/001-schema.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { databases, makeEmptyPlace } from '../support/databases.ts'

const before: Migration = { up }
const AT = '2026-01-01T00:00:00.000Z'
const LATER = '2999-01-01T00:00:00.000Z'

async function writeOldRows(db: WriteHandle): Promise<void> {
  await before.up(db)
  await sql`create table "kysely_migration" ("name" varchar(255) primary key, "timestamp" varchar(255))`.execute(
    db
  )
  await sql`insert into "kysely_migration" values ('001-schema', ${AT})`.execute(db)
  await sql`insert into "partner" ("id", "slug", "name", "email", "isActive", "hasAiMemory", "models", "brand", "createdAt", "updatedAt")
    values ('prt_1', 'acme', 'Acme', 'a@b.c', 1, 1, '[]', '{}', ${AT}, ${AT})`.execute(db)
  await sql`insert into "plan" ("id", "partnerId", "name", "kind", "features", "createdAt")
    values ('pln_1', 'prt_1', 'Pro', 'subscription', '{}', ${AT})`.execute(db)
  const customers = [
    ['trying', 'Prepaid', 'active', LATER],
    ['having', 'monthly invoice', 'active', AT],
    ['without', 'postpaid', 'none', null]
  ] as const
  for (const [id, billingType, status, trialEndsAt] of customers) {
    await sql`insert into "customer" ("id", "partnerId", "code", "email", "emailKey", "searchText",
      "estimatedPriceMicros", "priceBreakdown", "orderStatus", "dealStatus", "billingType", "isOnboardingCompleted",
      "enableAdvancedAnalytics", "enableApiAccess", "customerPortalEnabled", "showKnowledgeBase", "showIntegration",
      "allowedApps", "maxTeamMembers", "enableTeamMembers", "aiCreditsEnabled", "lowCreditNotificationsEnabled",
      "enableAiMemory", "creditPlanIds", "deploymentStatus", "subscriptionStatus", "credentialStatus", "createdAt", "updatedAt")
      values (${id}, 'prt_1', ${id}, ${id}, ${id}, '', 0, '[]', 'new', 'won', ${billingType}, 0, 0, 0, 0, 1, 1, '[]', 5, 1,
      0, 0, 1, '[]', 'pending', ${status}, 'none', ${AT}, ${AT})`.execute(db)
    if (status === 'active')
      await sql`insert into "subscription" ("id", "partnerId", "customerId", "planId", "createdAt", "trialEndsAt")
        values (${`sub_${id}`}, 'prt_1', ${id}, 'pln_1', ${AT}, ${trialEndsAt})`.execute(db)
  }
}

it.each(databases)(
  'keeps plans without a price, trials that run, and two billing types, on %s',
  async (kind) => {
    const place = await makeEmptyPlace(kind)
    const options = {
      location: place.databaseUrl ?? join(place.dataDir, 'mindgate.db'),
      maxConnections: 2,
      busyDeadlineMs: 5_000,
      onIdleError: () => undefined
    }
    const sqlite = place.databaseUrl ? undefined : openSqlite(options.location)
    const old = sqlite?.writer ?? openPostgres(options)
    await old.transaction().execute(writeOldRows)
    await (sqlite ? sqlite.close() : old.destroy())
    const { read, close } = await openDatabase(options)
    const customers = read
      .selectFrom('customer')
      .select(['id', 'billingType', 'subscriptionStatus', 'planId'])
    expect(await customers.orderBy('id').execute()).toEqual([
      { id: 'having', billingType: 'postpaid', subscriptionStatus: 'active', planId: 'pln_1' },
      { id: 'trying', billingType: 'prepaid', subscriptionStatus: 'trialing', planId: 'pln_1' },
      { id: 'without', billingType: 'postpaid', subscriptionStatus: 'none', planId: null }
    ])
    const subscriptions = read
      .selectFrom('subscription')
      .select(['customerId', 'planName', 'status', 'dueAt'])
    expect(await subscriptions.select(['priceMicros', 'endedAt']).orderBy('id').execute()).toEqual([
      {
        customerId: 'having',
        planName: 'Pro',
        status: 'active',
        dueAt: null,
        priceMicros: null,
        endedAt: null
      },
      {
        customerId: 'trying',
        planName: 'Pro',
        status: 'trialing',
        dueAt: LATER,
        priceMicros: null,
        endedAt: null
      }
    ])
    await close()
    await place.remove()
  }
)
