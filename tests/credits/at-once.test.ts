// Many who pay at once from what is enough for half of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { chargeFor, type Payer } from '../../src/credits/payment.ts'
import { refund, refundExpired, reserve } from '../../src/credits/reservations.ts'
import type { WriteHandle } from '../../src/database/database.ts'
import { newId } from '../../src/ids.ts'
import { createLog } from '../../src/log.ts'
import { toMicros } from '../../src/money.ts'
import { openService, type Service } from '../../src/service.ts'
import { databases } from '../support/databases.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { expectCreditsToAddUp } from './invariants.ts'
import { balancesOf, chargeAtOnce, grantTo, makePayer, payingIn } from './payers.ts'

const HALF = { paid: 100, refusals: Array.from({ length: 100 }, () => 'insufficient_credits') }

describe.each(databases)('payments at once on %s', (kind) => {
  let test: TestService
  let beside: Service
  beforeAll(async () => {
    // Waiting for its turn behind all the others must not look like a deadlock, however slow the machine is.
    test = await openTestService(kind, { BUSY_DEADLINE_MS: '60000' })
    beside = await openService(loadConfig(test.env), createLog('silent'))
  })
  afterAll(async () => {
    await expectCreditsToAddUp(test.service.database.read)
    await beside.close()
    await test.close()
  })

  it('let through 100 of 200 when the customer has 100 credits', async () => {
    const payer = await makePayer(test.service, { credits: 100 })
    expect(await chargeAtOnce(test.service, payer, 200)).toEqual(HALF)
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 900, customer: 0 })
  })

  it('let through 100 of 200 when the partner has 100 credits, and the customer pays no other', async () => {
    const payer = await makePayer(test.service, { credits: 1_000 })
    await test.service.database.transaction((tx) =>
      chargeFor(
        payingIn(test.service),
        tx,
        { ...payer, customer: { ...payer.customer, aiCreditsEnabled: 0 } },
        { operation: 'memory_remember', priceMicros: toMicros(900), reference: 'mem_many' }
      )
    )
    expect(await chargeAtOnce(test.service, payer, 200)).toEqual(HALF)
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 0, customer: 900 })
  })

  // On SQLite, two services of one process would wait in place for each other; tests/database has that race.
  if (kind === 'postgres') {
    it('let through 100 of 200 through two services on one database', async () => {
      const payer = await makePayer(test.service, { credits: 100 })
      const outcomes = await Promise.all(
        [test.service, beside].map((service) => chargeAtOnce(service, payer, 100))
      )
      expect(outcomes.reduce((sum, { paid }) => sum + paid, 0)).toBe(100)
      expect(outcomes.flatMap(({ refusals }) => refusals)).toEqual(HALF.refusals)
      expect(await balancesOf(test.service, payer)).toEqual({ partner: 900, customer: 0 })
    })
  }

  it('never wait for each other in a circle, sweeps among them', async () => {
    const { database } = test.service
    const ctx = payingIn(test.service)
    const payers = [...(await twoOfOnePartner()), ...(await twoOfOnePartner())]
    // The victim of a deadlock is run again, and nobody would notice.
    const runs = { asked: 0, done: 0 }
    const write = <T>(work: (tx: WriteHandle) => Promise<T>) => {
      runs.asked += 1
      return database.transaction((tx) => {
        runs.done += 1
        return work(tx)
      })
    }
    const priceMicros = toMicros(1)
    const pay = async (payer: Payer, turn: number) => {
      if (turn % 3 === 0) {
        const priced = { operation: 'memory_remember', priceMicros, reference: newId('mem') }
        return write((tx) => chargeFor(ctx, tx, payer, priced))
      }
      const expiresAt = fromNow(turn % 3 === 1 ? -1 : 60_000)
      const priced = { operation: 'memory_ask', priceMicros, mindId: 'mind_1', expiresAt }
      const { reservationId } = await write((tx) => reserve(ctx, tx, payer, priced))
      // Odd ones are left to the sweeps, which race with the others' refunds.
      if (turn % 2 === 0) await write((tx) => refund(tx, reservationId))
      return write((tx) => refundExpired(tx, 7))
    }
    const turns = Array.from({ length: 48 }, (_, turn) => turn)
    await Promise.all(turns.flatMap((turn) => payers.map((payer) => pay(payer, turn))))
    expect(runs.done).toBe(runs.asked)
    await expectCreditsToAddUp(database.read)
  })

  /** Two customers of one partner, each with 500 credits. */
  async function twoOfOnePartner(): Promise<Payer[]> {
    const first = await makePayer(test.service, { credits: 500 })
    const customer = await makeCustomerRow(test.service, first.partnerId, { aiCreditsEnabled: 1 })
    const second = { partnerId: first.partnerId, customer }
    await grantTo(test.service, second, 500)
    return [first, second]
  }
})
