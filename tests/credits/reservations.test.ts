import type { Selectable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { eraseOldAnswers, forgetAnswersOfMind, forgetAnswersWith } from '../../src/credits/kept-answers.ts'
import type { Payer } from '../../src/credits/payment.ts'
import {
  capture,
  holdLess,
  refund,
  refundExpired,
  refundHeldOf,
  reserve
} from '../../src/credits/reservations.ts'
import type { Tables } from '../../src/database/tables.ts'
import { toMicros } from '../../src/money.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { expectCreditsToAddUp } from './invariants.ts'
import { balancesOf, makePayer, payingIn } from './payers.ts'

const ANSWER = '{"answer":"Lisbon","sources":[{"memoryId":"mem_a1"}]}'

describe.each(databases)('a reservation on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(async () => {
    await expectCreditsToAddUp(test.service.database.read)
    await test.close()
  })

  const write = <T>(work: Parameters<typeof test.service.database.transaction<T>>[0]) =>
    test.service.database.transaction(work)
  const hold = async (
    payer: Payer,
    { credits = 3, mindId = 'mind_1', expiresAt = fromNow(60_000) } = {}
  ): Promise<string> => {
    const priced = { operation: 'memory_ask', priceMicros: toMicros(credits), mindId, expiresAt }
    const reserved = await write((tx) => reserve(payingIn(test.service), tx, payer, priced))
    expect(reserved.credits).toBe(credits)
    return reserved.reservationId
  }
  const rowOf = (id: string): Promise<Selectable<Tables['creditReservation']>> =>
    test.service.database.read
      .selectFrom('creditReservation')
      .where('id', '=', id)
      .selectAll()
      .executeTakeFirstOrThrow()
  const usageOf = ({ customer }: Payer) =>
    test.service.database.read
      .selectFrom('billingEntry')
      .where('customerId', '=', customer.id)
      .select(['kind', 'amountMicros'])
      .execute()

  it('takes from both before the work begins', async () => {
    const payer = await makePayer(test.service, { credits: 10 })
    const id = await hold(payer)
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 997, customer: 7 })
    expect(await rowOf(id)).toMatchObject({ status: 'held', answer: null, settledAt: null })
  })

  it('keeps nothing when somebody has too little', async () => {
    const payer = await makePayer(test.service, { credits: 2 })
    await expect(hold(payer)).rejects.toMatchObject({ code: 'insufficient_credits' })
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 1_000, customer: 2 })
  })

  it('is settled with its answer, and the customer billed then and not before', async () => {
    const payer = await makePayer(test.service, { credits: 10, aiCreditPricePerMinuteMicros: 200_000 })
    const id = await hold(payer)
    expect(await usageOf(payer)).toEqual([])
    await write((tx) => capture(tx, id, ANSWER))
    expect(await usageOf(payer)).toEqual([{ kind: 'ai_credits', amountMicros: 600_000 }])
    expect(await rowOf(id)).toMatchObject({ status: 'settled', answer: ANSWER })
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 997, customer: 7 })
  })

  it('is settled for less than was held, and billed for that', async () => {
    const payer = await makePayer(test.service, { credits: 10, aiCreditPricePerMinuteMicros: 200_000 })
    const id = await hold(payer, { credits: 10 })
    const priced = { operation: 'memory_ask', priceMicros: toMicros(1), mindId: 'mind_1' }
    const less = (held: string) =>
      write(async (tx) => {
        const reserved = { ...priced, expiresAt: fromNow(60_000) }
        const { reservationId } = await holdLess(payingIn(test.service), tx, payer, held, reserved)
        await capture(tx, reservationId, ANSWER)
        return reservationId
      })
    expect(await rowOf(await less(id))).toMatchObject({ status: 'settled', answer: ANSWER })
    expect(await rowOf(id)).toMatchObject({ status: 'refunded', answer: null })
    expect(await usageOf(payer)).toEqual([{ kind: 'ai_credits', amountMicros: 200_000 }])
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 999, customer: 9 })
    // What was given back meanwhile pays for nothing.
    await expect(less(id)).rejects.toMatchObject({ code: 'memory_unavailable' })
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 999, customer: 9 })
  })

  it('is refunded to both, once, and bills nothing', async () => {
    const payer = await makePayer(test.service, { credits: 10, aiCreditPricePerMinuteMicros: 200_000 })
    const id = await hold(payer)
    expect(await write((tx) => refund(tx, id))).toBe(true)
    expect(await write((tx) => refund(tx, id))).toBe(false)
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 1_000, customer: 10 })
    expect(await rowOf(id)).toMatchObject({ status: 'refunded', answer: null })
    expect(await usageOf(payer)).toEqual([])
  })

  it('gives back to the customer what it paid, though its AI credits were switched off meanwhile', async () => {
    const payer = await makePayer(test.service, { credits: 10 })
    const id = await hold(payer)
    await write((tx) =>
      tx.updateTable('customer').set({ aiCreditsEnabled: 0 }).where('id', '=', payer.customer.id).execute()
    )
    await write((tx) => refund(tx, id))
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 1_000, customer: 10 })
  })

  it('is given back to the partner alone where the customer has no AI credits', async () => {
    const payer = await makePayer(test.service, { aiCreditsEnabled: 0 })
    const id = await hold(payer)
    expect(await write((tx) => refund(tx, id))).toBe(true)
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 1_000, customer: 0 })
  })

  it('is given back when its customer goes, and no other’s', async () => {
    const payer = await makePayer(test.service, { aiCreditsEnabled: 0 })
    const other = await makePayer(test.service, { aiCreditsEnabled: 0 })
    const [first, second, theirs] = [await hold(payer), await hold(payer), await hold(other)]
    await write((tx) => capture(tx, second, ANSWER))
    await write((tx) => refundHeldOf(tx, payer.customer.id))
    const states = await Promise.all([first, second, theirs].map(rowOf))
    expect(states.map(({ status }) => status)).toEqual(['refunded', 'settled', 'held'])
    expect((await balancesOf(test.service, payer)).partner).toBe(997)
  })

  it('is not refunded once settled, and not settled once refunded', async () => {
    const payer = await makePayer(test.service, { credits: 10 })
    const settled = await hold(payer)
    await write((tx) => capture(tx, settled, ANSWER))
    expect(await write((tx) => refund(tx, settled))).toBe(false)

    const refunded = await hold(payer)
    await write((tx) => refund(tx, refunded))
    await expect(write((tx) => capture(tx, refunded, ANSWER))).rejects.toMatchObject({
      code: 'memory_unavailable',
      retryAfterSeconds: 1
    })
    expect(await rowOf(refunded)).toMatchObject({ status: 'refunded', answer: null })
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 997, customer: 7 })
  })

  it('comes to one end when both are tried at once', async () => {
    const payer = await makePayer(test.service, { credits: 100 })
    for (let round = 0; round < 10; round += 1) {
      const id = await hold(payer, { credits: 1 })
      const [settled, ...refunded] = await Promise.allSettled([
        write((tx) => capture(tx, id, ANSWER)),
        write((tx) => refund(tx, id)),
        write((tx) => refund(tx, id))
      ])
      const ends = [settled.status === 'fulfilled', ...refunded.map((end) => Reflect.get(end, 'value'))]
      expect(ends.filter(Boolean)).toHaveLength(1)
    }
    await expectCreditsToAddUp(test.service.database.read)
  })

  it('costs nothing where the price is 0, and still keeps the answer', async () => {
    const payer = await makePayer(test.service)
    const id = await hold(payer, { credits: 0 })
    await write((tx) => capture(tx, id, ANSWER))
    expect(await rowOf(id)).toMatchObject({ status: 'settled', answer: ANSWER, partnerMicros: 0 })
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 1_000, customer: 0 })
  })

  describe('that a process left behind', () => {
    it('is refunded by the sweep once it has expired, and only then', async () => {
      const payer = await makePayer(test.service, { credits: 10 })
      const old = await hold(payer, { expiresAt: fromNow(-1) })
      const done = await hold(payer, { expiresAt: fromNow(-1) })
      await write((tx) => capture(tx, done, ANSWER))
      const running = await hold(payer)
      expect(await write((tx) => refundExpired(tx, 100))).toBe(1)
      expect(await write((tx) => refundExpired(tx, 100))).toBe(0)
      expect((await rowOf(old)).status).toBe('refunded')
      expect((await rowOf(done)).status).toBe('settled')
      expect((await rowOf(running)).status).toBe('held')
      expect(await balancesOf(test.service, payer)).toEqual({ partner: 994, customer: 4 })
    })

    it('is refunded a batch at a time, also by two that sweep at once', async () => {
      const payers = await Promise.all([1, 2, 3].map(() => makePayer(test.service, { credits: 10 })))
      for (const payer of payers) {
        for (let n = 0; n < 4; n += 1) await hold(payer, { credits: 1, expiresAt: fromNow(-1) })
      }
      const sweep = async () => {
        while ((await write((tx) => refundExpired(tx, 5))) === 5);
      }
      await Promise.all([sweep(), sweep()])
      for (const payer of payers) {
        expect(await balancesOf(test.service, payer)).toEqual({ partner: 1_000, customer: 10 })
      }
    })

    it('is refunded by the service when it starts', async () => {
      const payer = await makePayer(test.service, { credits: 10 })
      const old = await hold(payer, { expiresAt: fromNow(-1) })
      test.service.start('http://localhost')
      await vi.waitFor(async () => expect((await rowOf(old)).status).toBe('refunded'), 5_000)
    })
  })

  describe('with an answer', () => {
    const answered = async (payer: Payer, mindId: string, answer = ANSWER) => {
      const id = await hold(payer, { credits: 0, mindId })
      await write((tx) => capture(tx, id, answer))
      return id
    }
    const answersOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await rowOf(id)).answer))

    it('loses it with the Mind', async () => {
      const payer = await makePayer(test.service)
      const ids = [await answered(payer, 'mind_gone'), await answered(payer, 'mind_kept')]
      expect(await write((tx) => forgetAnswersOfMind(tx, 'mind_gone', 10))).toBe(1)
      expect(await answersOf(ids)).toEqual([null, ANSWER])
    })

    it('loses it with a memory that it cites', async () => {
      const payer = await makePayer(test.service)
      const other = ANSWER.replace('mem_a1', 'mem_b2')
      const ids = [
        await answered(payer, 'mind_m'),
        await answered(payer, 'mind_m', other),
        await answered(payer, 'mind_n')
      ]
      await write((tx) => forgetAnswersWith(tx, 'mind_m', 'mem_a1'))
      expect(await answersOf(ids)).toEqual([null, other, ANSWER])
    })

    it('loses it after a day', async () => {
      const payer = await makePayer(test.service)
      const ids = [await answered(payer, 'mind_old'), await answered(payer, 'mind_new')]
      await write((tx) =>
        tx
          .updateTable('creditReservation')
          .set({ settledAt: fromNow(-24 * 3_600_000 - 1) })
          .where('mindId', '=', 'mind_old')
          .execute()
      )
      expect(await write((tx) => eraseOldAnswers(tx, 10))).toBe(1)
      expect(await answersOf(ids)).toEqual([null, ANSWER])
      expect((await rowOf(ids[0] ?? '')).answerErasedAt).not.toBeNull()
    })
  })
})
