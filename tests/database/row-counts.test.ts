// What is counted and kept apart for quick reads is what reading all rows would tell, whatever happens to them.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromNow, now } from '../../src/clock.ts'
import { grantCredits, takeFrom } from '../../src/credits/store.ts'
import { pageOfCustomers } from '../../src/customers/listing.ts'
import { openDatabase, type ReadHandle } from '../../src/database/database.ts'
import { databases, makeEmptyPlace } from '../support/databases.ts'
import { openUpgraded } from '../support/first-schema.ts'
import { at, makeFixture, makePartner, run } from '../support/fixture.ts'
import { connected } from '../support/postgres.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

const COUNTED = {
  customer: {
    time: 'createdAt',
    by: [
      ...['credentialStatus', 'orderStatus', 'subscriptionStatus'],
      ...['monthlyCallVolume', 'callComplexity', 'deploymentTimeline']
    ]
  },
  audit: { time: 'createdAt', by: ['action'] },
  mail: { time: 'createdAt', by: ['status'] },
  customerToken: { time: 'createdAt', by: [] },
  instance: { time: 'createdAt', by: [] },
  voiceAgent: { time: 'createdAt', by: ['provider'] },
  statement: { time: 'startsAt', by: ['status'] },
  lowCredit: { time: undefined, by: [] }
} as const

type Row = Record<string, string | number | null>

/** The counts as they would be if all rows were read. */
async function countedAnew(db: ReadHandle): Promise<string[]> {
  const counts = new Map<string, number>()
  for (const [table, { time, by }] of Object.entries(COUNTED)) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where "partnerId" is not null`.execute(
      db
    )
    for (const row of rows) {
      const keys = [`${table} `, ...by.map((column) => `${table}.${column} ${row[column] ?? ''}`)]
      const instant = time && String(row[time])
      const [unit, length] = table === 'customer' ? ['minute', 16] : ['hour', 13]
      if (instant)
        keys.push(
          `${table}.day ${instant.slice(0, 10)}`,
          `${table}.${unit} ${instant.slice(0, Number(length))}`
        )
      for (const key of keys.map((name) => `${row.partnerId} ${name}`))
        counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts].map(([key, count]) => `${key} = ${count}`).sort()
}

async function kept(db: ReadHandle): Promise<string[]> {
  const rows = await db.selectFrom('rowCount').selectAll().execute()
  return rows
    .map(({ partnerId, subject, value, count }) => `${partnerId} ${subject} ${value} = ${count}`)
    .sort()
}

/** Who is low on credits, as it would be if all customers and accounts were read. */
async function lowAnew(db: ReadHandle): Promise<unknown[]> {
  const rows = await db
    .selectFrom('customer')
    .leftJoin('creditAccount', 'creditAccount.id', 'customer.id')
    .select(['customer.id as customerId', 'customer.partnerId', 'balanceMicros', 'aiCreditsEnabled'])
    .select('lowCreditThresholdMicros')
    .orderBy('customer.id')
    .execute()
  return rows.flatMap(({ aiCreditsEnabled, lowCreditThresholdMicros, balanceMicros, ...row }) =>
    aiCreditsEnabled === 1 && (!balanceMicros || balanceMicros < (lowCreditThresholdMicros ?? 0))
      ? [{ ...row, balanceMicros: balanceMicros ?? 0 }]
      : []
  )
}

const lowKept = (db: ReadHandle) => db.selectFrom('lowCredit').selectAll().orderBy('customerId').execute()

const findCustomers = async (db: ReadHandle, partnerId: string, search: string) =>
  (await pageOfCustomers(db, partnerId, { search, page: 1, limit: 100 })).rows.map(({ id }) => id)

describe.each(databases)('what is counted on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  const read = () => test.service.database.read

  async function isRight(): Promise<void> {
    expect(await kept(read())).toEqual(await countedAnew(read()))
    expect(await lowKept(read())).toEqual(await lowAnew(read()))
  }

  it('follows what operations do, and what is rolled back or erased', async () => {
    const { service } = test
    const { partnerId } = await makePartner(service)
    const others = await makePartner(service)
    const { customerId, agentA } = await makeFixture(service, partnerId)
    const gone = await makeFixture(service, partnerId)
    await makeFixture(service, others.partnerId)
    await isRight()

    await run(service, partnerId, 'customer_update', {
      customerId,
      monthlyCallVolume: '0-500',
      callComplexity: 'low'
    })
    await run(service, partnerId, 'customer_update', { customerId, monthlyCallVolume: null })
    await run(service, partnerId, 'voice_agent_map', {
      customerId,
      agentId: agentA,
      provider: 'a',
      profitMultiplier: 2
    })
    await run(service, partnerId, 'customer_toggle_portal_block', { customerId })
    await isRight()

    const failure = new Error('no')
    const broken = service.database.transaction(async (tx) => {
      await tx.deleteFrom('customer').where('partnerId', '=', partnerId).execute()
      throw failure
    })
    await expect(broken).rejects.toBe(failure)
    await isRight()

    await run(service, partnerId, 'customer_erase', { customerId: gone.customerId, confirm: gone.code })
    await isRight()
    await service.database.transaction((tx) =>
      tx.deleteFrom('partner').where('id', '=', others.partnerId).execute()
    )
    const left = await read()
      .selectFrom('rowCount')
      .where('partnerId', '=', others.partnerId)
      .selectAll()
      .execute()
    expect(left).toEqual([])
    await isRight()
  })

  it('follows many rows at once, and many writers', async () => {
    const { service } = test
    const { id: partnerId } = await makePartnerRow(service)
    await Promise.all(Array.from({ length: 20 }, () => makeCustomerRow(service, partnerId)))
    const act = {
      partnerId,
      actor: 'x',
      action: 'y',
      targetType: 'customer',
      targetId: 'z',
      fields: '[]',
      requestId: ''
    }
    const acts = Array.from({ length: 50 }, (_, i) => ({
      ...act,
      id: `${partnerId}${i}`,
      createdAt: fromNow(-i * 7_000_000)
    }))
    const nobodys = { ...act, id: `${partnerId}nobody`, partnerId: null, createdAt: now() }
    await service.database.transaction((tx) =>
      tx
        .insertInto('audit')
        .values([...acts, nobodys])
        .execute()
    )
    await isRight()
    await service.database.transaction(async (tx) => {
      await tx
        .updateTable('audit')
        .set({ action: 'z' })
        .where('createdAt', '<', fromNow(-70_000_000))
        .execute()
      await tx.deleteFrom('audit').where('createdAt', '<', fromNow(-140_000_000)).execute()
    })
    await isRight()
    expect((await kept(read())).filter((count) => count.endsWith('= 0'))).toEqual([])
  })

  it('knows who is low on credits, as balances, thresholds and switches move', async () => {
    const { service } = test
    const { id: partnerId } = await makePartnerRow(service)
    const own = { aiCreditsEnabled: 1, lowCreditThresholdMicros: 10_000_000 } as const
    const [rich, poor, off] = [
      await makeCustomerRow(service, partnerId, own),
      await makeCustomerRow(service, partnerId, own),
      await makeCustomerRow(service, partnerId, { ...own, aiCreditsEnabled: 0 })
    ]
    await isRight()
    const ofRich = { partnerId, customerId: rich.id }
    await service.database.transaction((tx) => grantCredits(tx, ofRich, { amountMicros: 11_000_000 }))
    await isRight()
    await service.database.transaction((tx) => takeFrom(tx, ofRich, 1_500_000))
    const dashboard = await run(service, partnerId, 'dashboard_get', {})
    expect(at(dashboard, 'data', 'lowOnCredits')).toMatchObject({
      count: 2,
      customers: [
        { id: poor.id, balance: 0, threshold: 10 },
        { id: rich.id, balance: 9.5 }
      ]
    })
    await isRight()
    await run(service, partnerId, 'customer_update', { customerId: rich.id, lowCreditThreshold: 9.5 })
    await run(service, partnerId, 'customer_update', { customerId: poor.id, lowCreditThreshold: null })
    await run(service, partnerId, 'customer_update', { customerId: off.id, aiCreditsEnabled: true })
    const usedUp = [poor.id, off.id].sort()
    expect(await lowKept(read())).toMatchObject(
      usedUp.map((customerId) => ({ customerId, balanceMicros: 0 }))
    )
    await isRight()
  })
})

it('works without extensions, where PostgreSQL has none for us', async () => {
  const place = await makeEmptyPlace('postgres')
  const url = new URL(place.databaseUrl ?? '')
  const role = url.pathname.slice(1).replace('test', 'role')
  await connected(url.href, (admin) =>
    admin.query(`create role ${role} login password 'secret'; grant all on schema public to ${role}`)
  )
  Object.assign(url, { username: role, password: 'secret' })
  const database = await openDatabase({
    location: url.href,
    maxConnections: 1,
    busyDeadlineMs: 5_000,
    onIdleError: () => undefined
  })
  const { rows } = await sql`select 1 from pg_indexes where "indexname" = 'customerSearch'`.execute(
    database.read
  )
  expect(rows).toEqual([])
  expect(await findCustomers(database.read, 'prt_1', 'anybody')).toEqual([])
  await database.close()
  await connected(place.databaseUrl ?? '', (admin) => admin.query(`drop owned by ${role}; drop role ${role}`))
  await place.remove()
})

it.each(databases)('rows of before are counted, and found, on %s', async (kind) => {
  const createdAt = now()
  const { database, close } = await openUpgraded(kind, async (insert) => {
    await insert('partner', { id: 'prt_1', slug: 'acme', email: 'a@example.com' })
    for (const [index, name] of ['Ada', 'Grace'].entries()) {
      const id = `cus_${index}`
      const emails = {
        email: `${id}@example.com`,
        emailKey: `${id}@example.com`,
        searchText: `${name} Stone`.toLowerCase()
      }
      const credits = { aiCreditsEnabled: 1, lowCreditThresholdMicros: 5 * index }
      await insert('customer', { id, partnerId: 'prt_1', code: id, ...emails, ...credits, firstName: name })
      const account = {
        accountId: id,
        partnerId: 'prt_1',
        operation: 'x',
        amountMicros: -7,
        createdAt
      }
      await insert('creditAccount', { id, partnerId: 'prt_1', customerId: id, balanceMicros: index })
      for (const [seq, kind] of ['charge', 'hold', 'refund'].entries())
        await insert('creditEntry', { ...account, seq, kind, reference: kind === 'charge' ? 'a' : 'b' })
      await insert('audit', {
        id: `aud_${index}`,
        partnerId: index ? 'prt_1' : null,
        action: 'x',
        targetId: id
      })
    }
  })
  expect(await kept(database.read)).toEqual(await countedAnew(database.read))
  expect(await lowKept(database.read)).toEqual([
    { customerId: 'cus_0', partnerId: 'prt_1', balanceMicros: 0 },
    { customerId: 'cus_1', partnerId: 'prt_1', balanceMicros: 1 }
  ])
  const days = await database.read.selectFrom('creditDay').selectAll().orderBy('accountId').execute()
  const day = createdAt.slice(0, 10)
  expect(days).toEqual(['cus_0', 'cus_1'].map((accountId) => ({ accountId, day, spentMicros: 7 })))
  expect(await findCustomers(database.read, 'prt_1', 'ce sto')).toEqual(['cus_1'])
  await close()
})
