// What hangs on a customer in large numbers outlives the record, until a worker deletes it.
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { databases, makeEmptyPlace } from '../support/databases.ts'

const AT = '2026-01-01T00:00:00.000Z'

it.each(databases)(
  'lets what a customer has outlive the record, and deletes it with its content, on %s',
  async (kind) => {
    const place = await makeEmptyPlace(kind)
    const location = place.databaseUrl ?? join(place.dataDir, 'mindgate.db')
    const database = await openDatabase({
      location,
      maxConnections: 2,
      busyDeadlineMs: 5_000,
      onIdleError: () => undefined
    })
    await database.transaction(async (tx) => {
      await sql`insert into "partner" ("id", "slug", "name", "email", "isActive", "hasAiMemory", "models", "brand", "createdAt", "updatedAt")
    values ('prt_1', 'acme', 'Acme', 'a@b.c', 1, 1, '[]', '{}', ${AT}, ${AT})`.execute(tx)
      for (const id of ['cus_1', 'cus_2']) {
        await sql`insert into "customer" ("id", "partnerId", "code", "email", "emailKey", "searchText",
      "estimatedPriceMicros", "priceBreakdown", "orderStatus", "dealStatus", "billingType", "isOnboardingCompleted",
      "enableAdvancedAnalytics", "enableApiAccess", "customerPortalEnabled", "showKnowledgeBase", "showIntegration",
      "allowedApps", "maxTeamMembers", "enableTeamMembers", "aiCreditsEnabled", "lowCreditNotificationsEnabled",
      "enableAiMemory", "creditPlanIds", "deploymentStatus", "subscriptionStatus", "credentialStatus", "createdAt", "updatedAt")
      values (${id}, 'prt_1', ${`C-${id}`}, ${id}, ${id}, '', 0, '[]', 'new', 'won', 'postpaid', 0, 0, 0, 0, 1, 1, '[]', 5, 1,
      0, 0, 1, '[]', 'pending', 'none', 'none', ${AT}, ${AT})`.execute(tx)
        await sql`insert into "billingAccount" ("customerId", "partnerId", "updatedAt", "balanceMicros", "entryCount")
      values (${id}, 'prt_1', ${AT}, 5, 1)`.execute(tx)
        await sql`insert into "mail" ("id", "partnerId", "customerId", "template", "recipient", "messageId", "params", "status", "nextAttemptAt", "createdAt")
      values (${`mail_${id}`}, 'prt_1', ${id}, 'low_credit', 'a@b.c', ${id}, '{}', 'sent', ${AT}, ${AT})`.execute(
          tx
        )
        await sql`insert into "creditAccount" ("id", "partnerId", "customerId", "balanceMicros", "entryCount", "createdAt", "updatedAt")
      values (${id}, 'prt_1', ${id}, 7, 1, ${AT}, ${AT})`.execute(tx)
        await sql`insert into "creditEntry" ("accountId", "seq", "partnerId", "customerId", "kind", "amountMicros", "balanceAfterMicros", "operation", "reference", "createdAt")
      values (${id}, 1, 'prt_1', ${id}, 'grant', 7, 7, 'credits_grant', 'grt_1', ${AT})`.execute(tx)
        await sql`insert into "mind" ("id", "partnerId", "customerId", "name", "isPrimary", "memoryCount", "nextSeq", "createdAt", "updatedAt")
      values (${`mnd_${id}`}, 'prt_1', ${id}, 'Primary', 1, 0, 1, ${AT}, ${AT})`.execute(tx)
      }
    })

    const customersOf = async (table: 'billingAccount' | 'mail' | 'creditAccount' | 'creditEntry') => {
      const rows = await database.read
        .selectFrom(table)
        .where('customerId', 'is not', null)
        .select('customerId')
        .execute()
      return rows.map(({ customerId }) => customerId).toSorted()
    }
    for (const table of ['billingAccount', 'mail', 'creditAccount', 'creditEntry'] as const)
      expect([table, await customersOf(table)]).toEqual([table, ['cus_1', 'cus_2']])
    await database.transaction((tx) => tx.deleteFrom('customer').where('id', '=', 'cus_1').execute())
    for (const table of ['billingAccount', 'mail', 'creditAccount', 'creditEntry'] as const)
      expect([table, await customersOf(table)]).toEqual([table, ['cus_1', 'cus_2']])
    const contents = database.read.selectFrom('customerContent').select(['id', 'isErased']).orderBy('id')
    expect(await contents.execute()).toEqual([
      { id: 'cus_1', isErased: 1 },
      { id: 'cus_2', isErased: 0 }
    ])
    const minds = database.read.selectFrom('mindContent').select(['id', 'isForgotten']).orderBy('id')
    expect(await minds.execute()).toEqual([
      { id: 'mnd_cus_1', isForgotten: 1 },
      { id: 'mnd_cus_2', isForgotten: 0 }
    ])
    await database.transaction((tx) => tx.deleteFrom('customerContent').where('id', '=', 'cus_1').execute())
    for (const table of ['billingAccount', 'mail', 'creditAccount', 'creditEntry'] as const)
      expect([table, await customersOf(table)]).toEqual([table, ['cus_2']])
    await database.close()
    await place.remove()
  }
)
