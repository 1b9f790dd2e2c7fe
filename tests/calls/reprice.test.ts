// A mapping that is corrected: its calls are priced anew in the background, whatever ends in between.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordCalls } from '../../src/calls/record.ts'
import { repriceCalls } from '../../src/calls/reprice.ts'
import type { ProviderCall } from '../../src/voice-agents/providers/port.ts'
import { databases } from '../support/databases.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { booksOf, call, period } from './calls.ts'

describe.each(databases)('calls of a corrected mapping on %s', (kind) => {
  let test: TestService
  let partnerId: string
  let ada: string
  let bob: string
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    partnerId = (await makePartnerRow(test.service)).id
    ada = (await makeCustomerRow(test.service, partnerId)).id
    bob = (await makeCustomerRow(test.service, partnerId)).id
  })

  const record = (calls: ProviderCall[]) =>
    test.service.database.transaction((tx) => recordCalls(tx, { partnerId, provider: 'a' }, calls))
  /** What the agent's periods are from now on, and since when calls are to be priced by them. */
  const correct = (repriceFrom: string, given: { customerId: string | null; multiplierMicros?: number }) =>
    test.service.database.transaction(async (tx) => {
      await tx
        .updateTable('voiceAgentPeriod')
        .set(given)
        .where('partnerId', '=', partnerId)
        .where('agentId', '=', 'desk')
        .execute()
      await tx.updateTable('voiceAgent').set({ repriceFrom }).where('partnerId', '=', partnerId).execute()
    })
  const left = () =>
    test.service.database.read
      .selectFrom('voiceAgent')
      .where('partnerId', '=', partnerId)
      .where('repriceFrom', 'is not', null)
      .select('repriceFrom')
      .executeTakeFirst()
  const reprice = () => repriceCalls(test.service.database)
  const balances = async () => [
    (await booksOf(test.service, ada)).balanceMicros,
    (await booksOf(test.service, bob)).balanceMicros
  ]
  /** 250 calls, most of which ended in the same millisecond. */
  const many = () =>
    Array.from({ length: 250 }, (_, index) =>
      call(`c${index}`, { endedAt: `2026-07-09T12:00:00.00${index < 220 ? 0 : 1}Z`, costMicros: 1 })
    )

  it('charges what was nobody’s where it is backdated', async () => {
    await period(test.service, partnerId, { customerId: ada, startsAt: '2026-07-09T12:00:00.001Z' })
    await record(many())
    expect(await balances()).toEqual([30, 0])
    await test.service.database.transaction((tx) =>
      tx
        .updateTable('voiceAgentPeriod')
        .set({ startsAt: '2026-07-01T00:00:00.000Z' })
        .where('partnerId', '=', partnerId)
        .execute()
    )
    await correct('2026-07-01T00:00:00.000Z', { customerId: ada })
    await reprice()
    expect(await balances()).toEqual([250, 0])
    expect(await left()).toBeUndefined()
    expect((await booksOf(test.service, ada)).days).toMatchObject([{ calls: 250, chargeMicros: 250 }])
  })

  it('writes a line for each difference, and none where it is done again', async () => {
    await period(test.service, partnerId, { customerId: ada })
    await record(many())
    await correct('2026-07-01T00:00:00.000Z', { customerId: ada, multiplierMicros: 3_000_000 })
    await reprice()
    expect(await balances()).toEqual([750, 0])
    expect((await booksOf(test.service, ada)).lines.length).toBe(500)
    await correct('2026-07-01T00:00:00.000Z', { customerId: ada })
    await reprice()
    expect((await booksOf(test.service, ada)).lines.length).toBe(500)
  })

  it('leaves calls before that moment as they are', async () => {
    await period(test.service, partnerId, { customerId: ada })
    await record(many())
    await correct('2026-07-09T12:00:00.001Z', { customerId: ada, multiplierMicros: 2_000_000 })
    await reprice()
    expect(await balances()).toEqual([280, 0])
  })

  it('goes on where a process ended, and starts over where it is corrected once more meanwhile', async () => {
    await period(test.service, partnerId, { customerId: ada })
    await record(many())
    await correct('2026-07-01T00:00:00.000Z', { customerId: bob })
    const stopping = new AbortController()
    const { database } = test.service
    const once = {
      ...database,
      transaction: async (...given: Parameters<typeof database.transaction>) => {
        const done = await database.transaction(...given)
        stopping.abort()
        return done
      }
    }
    await repriceCalls(once as typeof database, stopping.signal)
    expect(await balances()).toEqual([200, 50])
    const position = await left()
    expect(position?.repriceFrom).toMatch(/^2026-07-09T12:00:00.000Z cal_/)
    expect((position?.repriceFrom ?? '') > '2026-07-09T12:00:00.000Z').toBe(true)
    await correct('2026-07-01T00:00:00.000Z', { customerId: bob, multiplierMicros: 2_000_000 })
    await reprice()
    expect(await balances()).toEqual([0, 500])
  })

  it('is done once by two processes, beside calls that are recorded', async () => {
    await period(test.service, partnerId, { customerId: ada })
    await record(many())
    await correct('2026-07-01T00:00:00.000Z', { customerId: bob, multiplierMicros: 2_000_000 })
    const again = many().map((told) => ({ ...told, costMicros: 2 }))
    await Promise.all([reprice(), reprice(), record(again.slice(0, 100)), record(again.slice(100))])
    expect(await balances()).toEqual([0, 1_000])
    const rows = test.service.database.read.selectFrom('call').where('partnerId', '=', partnerId)
    const charged = await rows.select('chargeMicros').execute()
    expect(charged.every(({ chargeMicros }) => chargeMicros === 4)).toBe(true)
  })
})
