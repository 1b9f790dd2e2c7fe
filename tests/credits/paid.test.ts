// Credits that were bought: used first and billed no more; and what happens where none are left.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeFor, type Payer } from '../../src/credits/payment.ts'
import { capture, refund, reserve } from '../../src/credits/reservations.ts'
import { grantCredits } from '../../src/credits/store.ts'
import type { CustomerTable } from '../../src/customers/table.ts'
import { newId } from '../../src/ids.ts'
import { toMicros } from '../../src/money.ts'
import { databases } from '../support/databases.ts'
import { run } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { expectCreditsToAddUp } from './invariants.ts'
import { balancesOf, chargeAtOnce, grantTo, makePayer, payingIn } from './payers.ts'

const POSTPAID = { aiCreditPricePerMinuteMicros: 250_000 } as const
const PREPAID = { ...POSTPAID, billingType: 'prepaid' } as const

describe.each(databases)('credits that were paid, on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(async () => {
    await expectCreditsToAddUp(test.service.database.read)
    await test.close()
  })

  const payerWith = async (terms: Partial<CustomerTable>, paid: number, granted = 0): Promise<Payer> => {
    const payer = await makePayer(test.service, { ...terms, credits: granted })
    const owner = { partnerId: payer.partnerId, customerId: payer.customer.id }
    const bought = { kind: 'purchase', operation: 'pack_buy', reference: newId('pur') } as const
    await test.service.database.transaction((tx) =>
      grantCredits(tx, owner, { amountMicros: toMicros(paid), paid: bought })
    )
    return payer
  }
  const charge = (payer: Payer, credits: number) =>
    test.service.database.transaction((tx) =>
      chargeFor(payingIn(test.service), tx, payer, {
        operation: 'memory_remember',
        priceMicros: toMicros(credits),
        reference: newId('mem')
      })
    )
  const hold = (payer: Payer, credits: number) =>
    test.service.database.transaction((tx) =>
      reserve(payingIn(test.service), tx, payer, {
        operation: 'memory_ask',
        priceMicros: toMicros(credits),
        mindId: 'mind_1',
        expiresAt: '2999-01-01T00:00:00.000Z'
      })
    )
  const booksOf = async (payer: Payer) => {
    const { read } = test.service.database
    const lines = await read
      .selectFrom('billingEntry')
      .where('customerId', '=', payer.customer.id)
      .select('amountMicros')
      .orderBy('seq')
      .execute()
    const accounts = read.selectFrom('creditAccount').where('id', '=', payer.customer.id)
    const account = await accounts.select('paidMicros').executeTakeFirst()
    const { partner, customer } = await balancesOf(test.service, payer)
    const billed = lines.map(({ amountMicros }) => amountMicros)
    return { partner, customer, paid: (account?.paidMicros ?? 0) / 1e6, billed }
  }

  it('are used first, and what is used beyond them is billed', async () => {
    const payer = await payerWith(POSTPAID, 10, 5)
    await charge(payer, 4)
    expect(await booksOf(payer)).toEqual({ partner: 996, customer: 11, paid: 6, billed: [] })
    await charge(payer, 8)
    expect(await booksOf(payer)).toEqual({ partner: 988, customer: 3, paid: 0, billed: [500_000] })
    await charge(payer, 3)
    expect(await booksOf(payer)).toEqual({ partner: 985, customer: 0, paid: 0, billed: [500_000, 750_000] })
  })

  it('stay whole where they don’t cover a postpaid use, which is billed instead', async () => {
    const payer = await payerWith(POSTPAID, 3)
    await charge(payer, 3.5)
    expect(await booksOf(payer)).toEqual({ partner: 996.5, customer: 3, paid: 3, billed: [875_000] })
    await charge(payer, 3)
    await charge(payer, 0.000003)
    expect(await booksOf(payer)).toMatchObject({ customer: 0, paid: 0, billed: [875_000, 1] })
  })

  it('are all there is where nothing is billed: prepaid, or without a price', async () => {
    for (const terms of [
      PREPAID,
      { aiCreditPricePerMinuteMicros: null },
      { aiCreditPricePerMinuteMicros: 0 }
    ]) {
      const payer = await payerWith(terms, 2, 1)
      await charge(payer, 2.5)
      await expect(charge(payer, 1)).rejects.toMatchObject({ code: 'insufficient_credits' })
      expect(await booksOf(payer)).toEqual({ partner: 997.5, customer: 0.5, paid: 0, billed: [] })
    }
  })

  it('come back as paid when a hold is given back, and are billed no more when it is taken', async () => {
    const payer = await payerWith(POSTPAID, 4, 4)
    const before = await booksOf(payer)
    const { reservationId: lost } = await hold(payer, 6)
    expect(await booksOf(payer)).toMatchObject({ customer: 2, paid: 0, billed: [] })
    await test.service.database.transaction((tx) => refund(tx, lost))
    expect(await booksOf(payer)).toEqual(before)
    const { reservationId } = await hold(payer, 6)
    await test.service.database.transaction((tx) => capture(tx, reservationId, '{}'))
    expect(await booksOf(payer)).toMatchObject({ customer: 2, paid: 0, billed: [500_000] })
    // One that the balance didn't cover gives the partner's part back alone.
    const { reservationId: billedInstead } = await hold(payer, 3)
    await test.service.database.transaction((tx) => refund(tx, billedInstead))
    expect(await booksOf(payer)).toMatchObject({ partner: 994, customer: 2, billed: [500_000] })
  })

  it('run dry in the middle of a prepaid burst: so many uses as there were credits, none billed', async () => {
    const payer = await payerWith(PREPAID, 10)
    const { paid, refusals } = await chargeAtOnce(test.service, payer, 30)
    expect([paid, new Set(refusals)]).toEqual([10, new Set(['insufficient_credits'])])
    expect(await booksOf(payer)).toEqual({ partner: 990, customer: 0, paid: 0, billed: [] })
  })

  it('run dry in the middle of a postpaid burst: all of it goes on, the rest is billed', async () => {
    const payer = await payerWith(POSTPAID, 10)
    expect(await chargeAtOnce(test.service, payer, 30)).toMatchObject({ paid: 30 })
    const { billed, ...rest } = await booksOf(payer)
    expect(rest).toEqual({ partner: 970, customer: 0, paid: 0 })
    expect(billed).toEqual(Array.from({ length: 20 }, () => 250_000))
  })

  it('aren’t asked for before the work of who is billed, and are of who is prepaid', async () => {
    const remember = async (payer: Payer) => {
      const input = { customerId: payer.customer.id, content: 'Ada: I moved.' }
      return run(test.service, payer.partnerId, 'memory_remember', input)
    }
    const postpaid = await makePayer(test.service, { ...POSTPAID, enableAiMemory: 1 })
    expect(await remember(postpaid)).toMatchObject({ credits: 1 })
    expect(await booksOf(postpaid)).toMatchObject({ partner: 999, billed: [250_000] })
    const prepaid = await makePayer(test.service, { ...PREPAID, enableAiMemory: 1 })
    await expect(remember(prepaid)).rejects.toMatchObject({ code: 'insufficient_credits' })
    await grantTo(test.service, prepaid, 1)
    expect(await remember(prepaid)).toMatchObject({ credits: 1 })
  })
})
