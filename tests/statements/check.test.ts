// Once a day every balance and every statement is held against its lines; what differs is said, and stays as it is.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Debtor } from '../../src/billing/ledger.ts'
import { checkBooks, lastCheck } from '../../src/statements/check.ts'
import { databases } from '../support/databases.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { lineOf, makeClosedStatement, post } from '../support/statements.ts'

describe.each(databases)('the check of the books on %s', (kind) => {
  let test: TestService
  let debtor: Debtor
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    test.logs.length = 0
    await write('delete', 'setting')
    const { id: partnerId } = await makePartnerRow(test.service)
    debtor = { partnerId, customerId: (await makeCustomerRow(test.service, partnerId)).id }
  })

  const write = (what: 'delete' | 'balance' | 'total' | 'seq', of = '') =>
    test.service.database.transaction(async (tx) => {
      if (what === 'delete') await tx.deleteFrom('setting').where('name', '=', 'billingCheck').execute()
      const ofCustomer = { column: 'customerId', value: of } as const
      if (what === 'balance')
        await tx
          .updateTable('billingAccount')
          .set((eb) => ({ balanceMicros: eb('balanceMicros', '+', 1) }))
          .where(ofCustomer.column, '=', of)
          .execute()
      if (what === 'total')
        await tx
          .updateTable('statement')
          .set((eb) => ({ totalMicros: eb('totalMicros', '-', 1) }))
          .where(ofCustomer.column, '=', of)
          .execute()
    })
  const check = () => checkBooks({ database: test.service.database, log: test.service.log })
  const told = () => test.logs.filter((line) => line.includes('differs from its lines'))

  it('finds nothing where lines were posted, billed and taken back', async () => {
    await makeClosedStatement(test.service, debtor)
    await post(test.service, debtor, ...Array.from({ length: 2_500 }, (_, i) => lineOf({ amountMicros: i })))
    await check()
    expect(told()).toEqual([])
    expect(await lastCheck(test.service.database.read)).toMatchObject({
      mismatches: 0,
      doneAt: expect.any(String)
    })
  })

  it.each(['balance', 'total'] as const)(
    'tells of a %s that is off by a millionth, and whose',
    async (what) => {
      await post(test.service, debtor, lineOf())
      await write(what, debtor.customerId)
      await check()
      expect(told()).toHaveLength(1)
      expect(JSON.parse(String(told()[0]))).toMatchObject({ level: 'error', ...debtor })
      expect((await lastCheck(test.service.database.read)).mismatches).toBe(1)
      await write('delete')
      await check()
      expect(told(), 'nothing was put right').toHaveLength(2)
      await test.service.database.transaction((tx) =>
        tx.deleteFrom('customerContent').where('id', '=', debtor.customerId).execute()
      )
    }
  )

  it('is made once a day by however many processes', async () => {
    await post(test.service, debtor, lineOf())
    await write('balance', debtor.customerId)
    await Promise.all([check(), check(), check()])
    await check()
    expect(told()).toHaveLength(1)
    await test.service.database.transaction((tx) =>
      tx.deleteFrom('customerContent').where('id', '=', debtor.customerId).execute()
    )
  })

  it('finds nothing while lines are being posted', async () => {
    await post(test.service, debtor, ...Array.from({ length: 3_000 }, () => lineOf()))
    const posting = Promise.all(
      Array.from({ length: 30 }, () => post(test.service, debtor, lineOf(), lineOf()))
    )
    await Promise.all([posting, check()])
    expect(told()).toEqual([])
  })
})
