// A statement is a month of its partner's zone, whatever the zone makes of it; and what was owed before there were any.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../support/databases.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { lineOf, post } from '../support/statements.ts'
import { sweepAll } from '../support/sweep.ts'

describe.each(databases)('months on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ['Pacific/Kiritimati', '2026-06', '2026-05-31T10:00:00.000Z', '2026-06-30T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-06', '2026-06-01T11:00:00.000Z', '2026-07-01T11:00:00.000Z'],
    ['Europe/Berlin', '2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['America/New_York', '2028-02', '2028-02-01T05:00:00.000Z', '2028-03-01T05:00:00.000Z']
  ])(
    'of %s: all of %s stands on one statement, which is closed three days after it',
    async (zone, _, startsAt, endsAt) => {
      const last = Date.parse(endsAt) - 1
      const instant = (ms: number) => new Date(ms).toISOString()
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(last)
      const { id: partnerId } = await makePartnerRow(test.service, { timeZone: zone })
      const debtor = { partnerId, customerId: (await makeCustomerRow(test.service, partnerId)).id }
      await post(
        test.service,
        debtor,
        lineOf({ occurredAt: startsAt }),
        lineOf({ occurredAt: instant(last) })
      )
      vi.setSystemTime(last + 1)
      await post(test.service, debtor, lineOf({ occurredAt: endsAt }))
      const statements = () =>
        test.service.database.read
          .selectFrom('statement')
          .where('customerId', '=', debtor.customerId)
          .select(['startsAt', 'endsAt', 'entryCount', 'status'])
          .orderBy('startsAt')
          .execute()
      const next = { startsAt: endsAt, entryCount: 1, status: 'draft' }
      expect(await statements()).toMatchObject([{ startsAt, endsAt, entryCount: 2, status: 'draft' }, next])
      vi.setSystemTime(last + 3 * 86_400_000)
      await sweepAll(test.service)
      expect((await statements()).map(({ status }) => status)).toEqual(['draft', 'draft'])
      vi.setSystemTime(last + 3 * 86_400_000 + 1)
      await sweepAll(test.service)
      expect(await statements()).toMatchObject([{ entryCount: 2, status: 'closed' }, next])
    }
  )
})
