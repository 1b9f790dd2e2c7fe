// What a customer spent on each day, whatever the ledger went through.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY_MS, fromNow } from '../../src/clock.ts'
import type { ReadHandle, WriteHandle } from '../../src/database/database.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, run, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import { startAtNoon } from '../support/noon.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('spent credits on %s', (kind) => {
  let opened: TestService
  let partner: TestPartner

  beforeAll(async () => {
    startAtNoon()
    opened = await openTestService(kind)
    partner = await makePartner(opened.service)
  })
  afterAll(async () => {
    vi.useRealTimers()
    await opened.close()
  })

  const act = (name: string, input: Record<string, unknown> = {}, who = partner) =>
    run(opened.service, who.partnerId, name, input)
  const write = <T>(work: (tx: WriteHandle) => Promise<T>) => opened.service.database.transaction(work)
  const fresh = () => makePartner(opened.service)
  const makeCustomer = async (who = partner, changes: Record<string, unknown> = {}): Promise<string> => {
    const created = await act('customer_create', { email: uniqueEmail() }, who)
    const customerId = stringAt(created, 'data', 'id')
    if (Object.keys(changes).length > 0) await act('customer_update', { customerId, ...changes }, who)
    return customerId
  }

  describe('credits by day', () => {
    const dayBefore = (days: number) => fromNow(-days * DAY_MS).slice(0, 10)

    /** Entries as payments leave them: [kind, amount, reference, when]. */
    const makeEntries = async (
      customerId: string,
      entries: readonly (readonly ['charge' | 'hold' | 'refund' | 'grant', number, string, string])[]
    ) => {
      await act('credits_grant', { customerId, amount: 1000 })
      await write(async (tx) => {
        const { entryCount, balanceMicros } = await accountOf(tx, customerId)
        let balanceAfterMicros = balanceMicros
        for (const [index, [entryKind, amount, reference, createdAt]] of entries.entries()) {
          balanceAfterMicros += amount * 1_000_000
          await tx
            .insertInto('creditEntry')
            .values({
              accountId: customerId,
              seq: entryCount + 1 + index,
              partnerId: partner.partnerId,
              customerId,
              kind: entryKind,
              amountMicros: amount * 1_000_000,
              balanceAfterMicros,
              operation: 'memory_ask',
              reference,
              note: null,
              createdAt
            })
            .execute()
        }
        await tx
          .updateTable('creditAccount')
          .set({ entryCount: entryCount + entries.length, balanceMicros: balanceAfterMicros })
          .where('id', '=', customerId)
          .execute()
        // The grant that opened the account is older than all of them.
        await tx
          .updateTable('creditEntry')
          .set({ createdAt: fromNow(-400 * DAY_MS) })
          .where('accountId', '=', customerId)
          .where('kind', '=', 'grant')
          .execute()
      })
    }
    const accountOf = (db: ReadHandle, id: string) =>
      db.selectFrom('creditAccount').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

    it('has every day of the time, today last, and nothing spent on most', async () => {
      const customerId = await makeCustomer()
      const { data } = await act('customer_credit_daily', { customerId, days: 7 })
      expect(data).toEqual([6, 5, 4, 3, 2, 1, 0].map((days) => ({ date: dayBefore(days), spent: 0 })))
    })

    it('counts charges and holds on their day, and no grants', async () => {
      const customerId = await makeCustomer()
      await makeEntries(customerId, [
        ['charge', -1, 'mem_1', `${dayBefore(31)}T23:59:59.999Z`],
        ['charge', -2, 'mem_2', `${dayBefore(29)}T00:00:00.000Z`],
        ['charge', -0.5, 'mem_3', `${dayBefore(2)}T12:00:00.000Z`],
        ['hold', -3, 'res_1', `${dayBefore(2)}T23:59:59.999Z`],
        ['charge', -1, 'mem_4', `${dayBefore(0)}T00:00:00.000Z`]
      ])
      const { data } = await act('customer_credit_daily', { customerId })
      const spent = [data].flat().filter((day) => at(day, 'spent') !== 0)
      expect(spent).toEqual([
        { date: dayBefore(29), spent: 2 },
        { date: dayBefore(2), spent: 3.5 },
        { date: dayBefore(0), spent: 1 }
      ])
    })

    it('takes what was given back off the day on which it was held, also past midnight', async () => {
      const customerId = await makeCustomer()
      await makeEntries(customerId, [
        ['hold', -10, 'res_old', `${dayBefore(7)}T23:59:59.000Z`],
        ['refund', 10, 'res_old', `${dayBefore(6)}T00:00:30.000Z`],
        ['hold', -10, 'res_1', `${dayBefore(3)}T23:59:59.000Z`],
        ['charge', -1, 'mem_1', `${dayBefore(3)}T23:59:59.500Z`],
        ['refund', 10, 'res_1', `${dayBefore(2)}T00:00:30.000Z`]
      ])
      const { data } = await act('customer_credit_daily', { customerId, days: 7 })
      expect([data].flat().map((day) => at(day, 'spent'))).toEqual([0, 0, 0, 1, 0, 0, 0])
    })

    it('finds the first day among many older entries, however clocks differed', async () => {
      const customerId = await makeCustomer()
      const old = Array.from(
        { length: 100 },
        (_, index) => ['charge', -1, `mem_old${index}`, fromNow(-(300 - index) * DAY_MS)] as const
      )
      // Around midnight two processes took turns, one of them with a slow clock.
      const turns = Array.from({ length: 40 }, (_, index) => [
        ['charge', -5, `mem_fast${index}`, `${dayBefore(2)}T00:00:01.000Z`] as const,
        ['charge', -7, `mem_slow${index}`, `${dayBefore(3)}T23:59:58.000Z`] as const
      ])
      await makeEntries(customerId, [...old, ...turns.flat()])
      const { data } = await act('customer_credit_daily', { customerId, days: 3 })
      expect([data].flat().map((day) => at(day, 'spent'))).toEqual([200, 0, 0])
    })

    it('is refused for another partner’s customer, and for more days than a year', async () => {
      const customerId = await makeCustomer(await fresh())
      await expect(act('customer_credit_daily', { customerId })).rejects.toMatchObject({
        code: 'customer_not_found'
      })
      const own = await makeCustomer()
      for (const days of [0, 367, 1.5]) {
        await expect(act('customer_credit_daily', { customerId: own, days })).rejects.toMatchObject({
          code: 'invalid_input',
          field: 'days'
        })
      }
    })
  })
})
