import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeFor, type Payer, requireCredits } from '../../src/credits/payment.ts'
import { emptyAccounts, takeFrom } from '../../src/credits/store.ts'
import { pageOfCustomers } from '../../src/customers/listing.ts'
import { isUniqueViolation } from '../../src/database/faults.ts'
import { newId } from '../../src/ids.ts'
import { toMicros } from '../../src/money.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { expectCreditsToAddUp } from './invariants.ts'
import { balancesOf, grantTo, makePayer, payingIn } from './payers.ts'

describe.each(databases)('a charge on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(async () => {
    await expectCreditsToAddUp(test.service.database.read)
    await test.close()
  })

  const charge = (payer: Payer, credits: number, reference = newId('mem')) =>
    test.service.database.transaction((tx) =>
      chargeFor(payingIn(test.service), tx, payer, {
        operation: 'memory_remember',
        priceMicros: toMicros(credits),
        reference
      })
    )
  const entriesOf = (accountId: string) =>
    test.service.database.read
      .selectFrom('creditEntry')
      .where('accountId', '=', accountId)
      .orderBy('seq')
      .select(['seq', 'kind', 'amountMicros', 'balanceAfterMicros', 'operation', 'reference'])
      .execute()

  it('takes from the partner and from the customer, and says why in both ledgers', async () => {
    const payer = await makePayer(test.service, { credits: 10 })
    expect(await charge(payer, 2.5, 'mem_one')).toEqual({ credits: 2.5 })
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 997.5, customer: 7.5 })
    const paid = {
      seq: 2,
      kind: 'charge',
      amountMicros: -2_500_000,
      operation: 'memory_remember',
      reference: 'mem_one'
    }
    expect((await entriesOf(payer.partnerId)).at(-1)).toEqual({ ...paid, balanceAfterMicros: 997_500_000 })
    expect((await entriesOf(payer.customer.id)).at(-1)).toEqual({ ...paid, balanceAfterMicros: 7_500_000 })
  })

  it('leaves a customer without AI credits alone', async () => {
    const payer = await makePayer(test.service, { credits: 10, aiCreditsEnabled: 0 })
    await charge(payer, 1)
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 999, customer: 10 })
  })

  it('takes nothing from a customer of another partner', async () => {
    const [own, foreign] = [
      await makePayer(test.service, { credits: 10 }),
      await makePayer(test.service, { credits: 10 })
    ]
    const owner = { partnerId: own.partnerId, customerId: foreign.customer.id }
    const taken = test.service.database.transaction((tx) => takeFrom(tx, owner, toMicros(1)))
    expect(await taken).toBeUndefined()
    expect(await balancesOf(test.service, foreign)).toEqual({ partner: 1_000, customer: 10 })
  })

  it('takes the last credit and not one more', async () => {
    const payer = await makePayer(test.service, { credits: 1 })
    await charge(payer, 1)
    await expect(charge(payer, 0.000001)).rejects.toMatchObject({ code: 'insufficient_credits' })
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 999, customer: 0 })
  })

  it('refuses with nothing changed when either has too little', async () => {
    const payer = await makePayer(test.service, { credits: 3 })
    const before = await entriesOf(payer.partnerId)
    await expect(charge(payer, 4)).rejects.toMatchObject({ code: 'insufficient_credits' })
    await grantTo(test.service, payer, 5_000)
    await expect(charge(payer, 1_000.5)).rejects.toMatchObject({ code: 'insufficient_credits' })
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 1_000, customer: 5_003 })
    expect(await entriesOf(payer.partnerId)).toEqual(before)
  })

  it('refuses a customer that never had an account', async () => {
    const payer = await makePayer(test.service)
    await expect(charge(payer, 1)).rejects.toMatchObject({ code: 'insufficient_credits' })
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 1_000, customer: 0 })
  })

  it('says to the partner whose account it is', async () => {
    const payer = await makePayer(test.service, { credits: 3 })
    await expect(charge(payer, 4)).rejects.toThrow(/^The customer has not enough AI credits: this costs 4\./)
    await expect(charge(payer, 2_000)).rejects.toThrow(/^Your partner account has not enough credits/)
  })

  it('says the same to the customer’s own token whichever account it is', async () => {
    const payer = await makePayer(test.service, { credits: 3 })
    const own = { ...payer, customerId: payer.customer.id }
    const text = (credits: number) =>
      `There are not enough credits: this costs ${credits}. Ask your provider for more.`
    await expect(charge(own, 4)).rejects.toThrow(text(4))
    await expect(charge(own, 2_000)).rejects.toThrow(text(2_000))
  })

  it('is looked for before the work: at both, and at no customer that is billed or has no AI credits', async () => {
    const look = ({ partnerId, customer }: Payer, credits: number) =>
      requireCredits(test.service.database.read, { partnerId }, customer.id, toMicros(credits))
    const refused = (who: string) => ({
      code: 'insufficient_credits',
      message: expect.stringContaining(who)
    })
    const payer = await makePayer(test.service, { credits: 10 })
    await look(payer, 10)
    await expect(look(payer, 10.000001)).rejects.toMatchObject(refused('The customer has not enough'))
    const poor = await makePayer(test.service)
    await expect(look(poor, 1)).rejects.toMatchObject(refused('The customer has not enough'))
    for (const terms of [{ aiCreditsEnabled: 0 }, { aiCreditPricePerMinuteMicros: 250_000 }] as const) {
      const spared = await makePayer(test.service, terms)
      await look(spared, 1_000)
      await expect(look(spared, 1_000.000001)).rejects.toMatchObject(refused('Your partner account'))
    }
    const strange = { ...payer, partnerId: poor.partnerId }
    await expect(look(strange, 1)).rejects.toMatchObject(refused('Your partner account'))
  })

  it('that takes the last credit is counted, and no account that never had any', async () => {
    const count = () => emptyAccounts(test.service.database.read)
    const payer = await makePayer(test.service, { credits: 1 })
    const { partners, customers } = await count()
    await charge(payer, 1)
    expect(await count()).toEqual({ partners, customers: customers + 1 })
    await charge({ ...payer, customer: { ...payer.customer, aiCreditsEnabled: 0 } }, 999)
    expect(await count()).toEqual({ partners: partners + 1, customers: customers + 1 })
  })

  it('is not paid twice for one reference', async () => {
    const payer = await makePayer(test.service, { credits: 10 })
    await charge(payer, 1, 'mem_twice')
    await expect(charge(payer, 1, 'mem_twice')).rejects.toSatisfy(isUniqueViolation)
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 999, customer: 9 })
  })

  it('costs nothing where the price is 0, and leaves no entry', async () => {
    const payer = await makePayer(test.service)
    expect(await charge(payer, 0)).toEqual({ credits: 0 })
    expect(await entriesOf(payer.partnerId)).toHaveLength(1)
    expect(await entriesOf(payer.customer.id)).toEqual([])
  })

  describe('of a customer with a price per minute', () => {
    const filter = { page: 1, limit: 20 }
    const unbilled = async ({ partnerId }: Payer) => {
      const { rows, totalCount } = await pageOfCustomers(test.service.database.read, partnerId, filter)
      expect(totalCount).toBe(1)
      return rows[0]?.unbilledMicros
    }

    it('adds one minute a credit to what is unbilled', async () => {
      const payer = await makePayer(test.service, { credits: 10, aiCreditPricePerMinuteMicros: 250_000 })
      await charge(payer, 3)
      await charge(payer, 0.5)
      expect(await unbilled(payer)).toBe(875_000)
    })

    it('bills nothing while it has no AI credits of its own', async () => {
      const payer = await makePayer(test.service, {
        credits: 10,
        aiCreditsEnabled: 0,
        aiCreditPricePerMinuteMicros: 250_000
      })
      await charge(payer, 3)
      expect(await unbilled(payer)).toBe(0)
    })
  })
})
