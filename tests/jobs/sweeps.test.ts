import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromNow, HOUR_MS, MINUTE_MS } from '../../src/clock.ts'
import { capture, reserve } from '../../src/credits/reservations.ts'
import { balancesOf, makePayer, payingIn } from '../credits/payers.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('a service that runs on %s', (kind) => {
  let test: TestService
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    test = await openTestService(kind)
    test.service.start('http://localhost')
  })
  afterEach(async () => {
    await test.close()
    vi.useRealTimers()
  })

  const hold = async (expiresAt: string) => {
    const payer = await makePayer(test.service, { credits: 10 })
    const priced = { operation: 'memory_ask', priceMicros: 1_000_000, mindId: 'mind_1', expiresAt }
    const { reservationId } = await test.service.database.transaction((tx) =>
      reserve(payingIn(test.service), tx, payer, priced)
    )
    return { payer, reservationId }
  }

  it('gives credits that a crash left held back within a minute', async () => {
    const { payer } = await hold(fromNow(-1))
    // Whatever the sweep at the start still did, it is over by the next one.
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    await vi.waitFor(
      async () => expect(await balancesOf(test.service, payer)).toEqual({ partner: 1_000, customer: 10 }),
      5_000
    )
    const { payer: later } = await hold(fromNow(-1))
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    await vi.waitFor(
      async () => expect(await balancesOf(test.service, later)).toEqual({ partner: 1_000, customer: 10 }),
      5_000
    )
  })

  it('erases answers of yesterday within an hour', async () => {
    const { reservationId } = await hold(fromNow(MINUTE_MS))
    await test.service.database.transaction(async (tx) => {
      await capture(tx, reservationId, '{"answer":"Lisbon"}')
      await tx
        .updateTable('creditReservation')
        .set({ settledAt: fromNow(-25 * HOUR_MS) })
        .where('id', '=', reservationId)
        .execute()
    })
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    await vi.waitFor(async () => {
      const row = await test.service.database.read
        .selectFrom('creditReservation')
        .where('id', '=', reservationId)
        .select(['status', 'answer'])
        .executeTakeFirst()
      expect(row).toEqual({ status: 'settled', answer: null })
    }, 5_000)
  })
})
