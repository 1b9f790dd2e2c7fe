// A balance moves with its lines, and each line stands on the statement of its period, or on the open one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Debtor, type Line, postLines, settleStatement } from '../../src/billing/ledger.ts'
import { databases } from '../support/databases.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('the ledger on %s', (kind) => {
  let test: TestService
  let debtor: Debtor
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2026-07-02T12:00:00.000Z')
    const { id: partnerId } = await makePartnerRow(test.service, { timeZone: 'Europe/Berlin' })
    debtor = { partnerId, customerId: (await makeCustomerRow(test.service, partnerId)).id }
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  let count = 0
  const line = (occurredAt: string, amountMicros: number, kindOfLine: Line['kind'] = 'call'): Line => {
    count += 1
    return {
      kind: kindOfLine,
      amountMicros,
      reference: `cal_${count}:1`,
      description: 'Front desk',
      occurredAt
    }
  }
  const post = (...lines: Line[]) => test.service.database.transaction((tx) => postLines(tx, debtor, lines))
  const read = () => test.service.database.read
  const statements = () =>
    read()
      .selectFrom('statement')
      .where('customerId', '=', debtor.customerId)
      .select(['startsAt', 'endsAt', 'totalMicros', 'entryCount'])
      .orderBy('startsAt')
      .execute()
  const entries = () =>
    read()
      .selectFrom('billingEntry')
      .innerJoin('statement', 'statement.id', 'billingEntry.statementId')
      .where('billingEntry.customerId', '=', debtor.customerId)
      .select(['seq', 'kind', 'amountMicros', 'startsAt'])
      .orderBy('seq')
      .execute()
  const balance = async () => {
    const accounts = read().selectFrom('billingAccount').where('customerId', '=', debtor.customerId)
    return (await accounts.select(['balanceMicros', 'entryCount']).executeTakeFirst()) ?? null
  }
  const JUNE = { startsAt: '2026-05-31T22:00:00.000Z', endsAt: '2026-06-30T22:00:00.000Z' }
  const JULY = { startsAt: JUNE.endsAt, endsAt: '2026-07-31T22:00:00.000Z' }

  it('puts lines of the last month on its statement during the days of grace', async () => {
    await post(line('2026-06-30T21:59:59.999Z', 5), line('2026-06-30T22:00:00.000Z', 7))
    expect(await statements()).toEqual([
      { ...JUNE, totalMicros: 5, entryCount: 1 },
      { ...JULY, totalMicros: 7, entryCount: 1 }
    ])
    expect(await balance()).toEqual({ balanceMicros: 12, entryCount: 2 })
  })

  it('makes an adjustment on the open statement of a call whose month is over', async () => {
    await post(line('2026-07-01T00:00:00.000Z', 1))
    vi.setSystemTime('2026-07-03T22:00:00.000Z')
    await post(line('2026-06-30T21:00:00.000Z', 5), line('2026-07-03T00:00:00.000Z', 2))
    expect(await statements()).toEqual([{ ...JULY, totalMicros: 8, entryCount: 3 }])
    expect((await entries()).map(({ kind: of, amountMicros }) => [of, amountMicros])).toEqual([
      ['call', 1],
      ['adjustment', 5],
      ['call', 2]
    ])
  })

  it('takes a provider’s clock that is ahead for now', async () => {
    await post(line('2031-01-01T00:00:00.000Z', 3))
    expect(await statements()).toEqual([{ ...JULY, totalMicros: 3, entryCount: 1 }])
  })

  it('leaves no gap and no overlap where the time zone was changed', async () => {
    await post(line('2026-07-02T00:00:00.000Z', 1))
    await test.service.database.transaction((tx) =>
      tx
        .updateTable('partner')
        .set({ timeZone: 'Pacific/Kiritimati' })
        .where('id', '=', debtor.partnerId)
        .execute()
    )
    vi.setSystemTime('2026-08-01T12:00:00.000Z')
    await post(line('2026-07-31T12:00:00.000Z', 2), line('2026-08-01T00:00:00.000Z', 4))
    expect(await statements()).toEqual([
      { ...JULY, totalMicros: 3, entryCount: 2 },
      { startsAt: JULY.endsAt, endsAt: '2026-08-31T10:00:00.000Z', totalMicros: 4, entryCount: 1 }
    ])
  })

  it('goes on behind a statement that a process with a faster clock has closed', async () => {
    await post(line('2026-07-01T00:00:00.000Z', 1))
    await test.service.database.transaction((tx) =>
      tx
        .updateTable('statement')
        .set({ status: 'closed' })
        .where('customerId', '=', debtor.customerId)
        .execute()
    )
    await post(line('2026-07-01T00:00:00.000Z', 2))
    expect(await statements()).toEqual([
      { ...JULY, totalMicros: 1, entryCount: 1 },
      { startsAt: JULY.endsAt, endsAt: '2026-08-31T22:00:00.000Z', totalMicros: 2, entryCount: 1 }
    ])
  })

  it('takes a statement off the balance and leaves its total', async () => {
    await post(line('2026-07-01T00:00:00.000Z', 9))
    const { id } = await read()
      .selectFrom('statement')
      .where('customerId', '=', debtor.customerId)
      .select('id')
      .executeTakeFirstOrThrow()
    const billed = { ...line('2026-07-02T00:00:00.000Z', -9, 'billed'), kind: 'billed' as const }
    await test.service.database.transaction((tx) => settleStatement(tx, debtor, id, billed))
    expect(await balance()).toEqual({ balanceMicros: 0, entryCount: 2 })
    expect(await statements()).toEqual([{ ...JULY, totalMicros: 9, entryCount: 1 }])
  })

  it('refuses a second line for the same, and writes nothing of that transaction', async () => {
    const once = line('2026-07-01T00:00:00.000Z', 9)
    await post(once)
    await expect(post(line('2026-07-01T00:00:00.000Z', 1), once)).rejects.toThrow()
    expect(await balance()).toEqual({ balanceMicros: 9, entryCount: 1 })
  })

  it('numbers the lines of many writers without a gap', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => post(line('2026-07-01T00:00:00.000Z', i))))
    expect((await entries()).map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    expect(await statements()).toEqual([{ ...JULY, totalMicros: 190, entryCount: 20 }])
  })
})
