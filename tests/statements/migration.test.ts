// What was owed before there were statements stands on the first ones.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { AT, openUpgraded } from '../support/first-schema.ts'

describe.each(databases)('a database from before statements on %s', (kind) => {
  it('keeps what was not billed as lines of a draft, and drops what was', async () => {
    const upgraded = await openUpgraded(kind, async (insert) => {
      await insert('partner', { id: 'prt_1', slug: 'acme', email: 'a@example.com', priceModel: null })
      for (const id of ['cus_1', 'cus_2', 'cus_3'])
        await insert('customer', {
          id,
          partnerId: 'prt_1',
          code: id,
          email: id,
          emailKey: id,
          billingType: 'Postpaid'
        })
      const owed: [string, number, string | null][] = [
        ['cus_1', 1_500_000, null],
        ['cus_1', 250_001, null],
        ['cus_1', 9_000_000, AT],
        ['cus_2', 7, null],
        ['cus_3', 3, AT]
      ]
      for (const [index, [customerId, amountMicros, billedAt]] of owed.entries())
        await insert('usage', {
          id: `usg_${index}`,
          partnerId: 'prt_1',
          customerId,
          amountMicros,
          billedAt,
          occurredAt: AT
        })
    })
    const opened = upgraded.database
    const accounts = await opened.read
      .selectFrom('billingAccount')
      .select(['customerId', 'balanceMicros', 'entryCount'])
      .orderBy('customerId')
      .execute()
    expect(accounts).toEqual([
      { customerId: 'cus_1', balanceMicros: 1_750_001, entryCount: 2 },
      { customerId: 'cus_2', balanceMicros: 7, entryCount: 1 }
    ])
    const lines = await opened.read
      .selectFrom('billingEntry')
      .innerJoin('statement', 'statement.id', 'billingEntry.statementId')
      .select([
        'billingEntry.customerId',
        'seq',
        'amountMicros',
        'kind',
        'status',
        'totalMicros',
        'statement.entryCount'
      ])
      .orderBy('billingEntry.customerId')
      .orderBy('seq')
      .execute()
    const draft = { kind: 'ai_credits', status: 'draft' }
    expect(lines).toMatchObject([
      {
        ...draft,
        customerId: 'cus_1',
        seq: 1,
        amountMicros: 1_500_000,
        totalMicros: 1_750_001,
        entryCount: 2
      },
      { ...draft, customerId: 'cus_1', seq: 2, amountMicros: 250_001 },
      { ...draft, customerId: 'cus_2', seq: 1, amountMicros: 7, totalMicros: 7, entryCount: 1 }
    ])
    await upgraded.close()
  })
})
