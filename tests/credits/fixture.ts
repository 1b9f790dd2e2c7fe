// A partner with two customers that pay at once, and what each of them was told.
import { expect } from 'vitest'
import { chargeFor, type Payer } from '../../src/credits/payment.ts'
import { refundExpired } from '../../src/credits/reservations.ts'
import { newId } from '../../src/ids.ts'
import { toMicros } from '../../src/money.ts'
import type { Service } from '../../src/service.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { expectCreditsToAddUp } from './invariants.ts'
import { balancesOf, makePayer, payingIn } from './payers.ts'

/** What somebody was told: a memory stored, an answer given. */
interface Told {
  reference: string
  payer: Payer
  micros: number
}

export interface Fixture {
  service: Service
  /** The first has AI credits of its own and wants notices below 8, the second hasn't. */
  payers: readonly [Payer, Payer]
  charged: Told[]
  /** References of charges that failed. */
  refused: string[]
  /** Answers by reservation. */
  answered: (Told & { answer: string })[]
  /** Reservations whose holder failed, gave up or died. */
  unanswered: string[]
  /** Credits granted to the first customer, in micros. */
  granted: number[]
}

/** What the partner has: about half of what is tried. */
const START = 12

export async function startFixture(service: Service): Promise<Fixture> {
  const first = await makePayer(service, {
    credits: 10,
    lowCreditNotificationsEnabled: 1,
    lowCreditThresholdMicros: 8_000_000
  })
  const { partnerId } = first
  const second = { partnerId, customer: await makeCustomerRow(service, partnerId) }
  const rest = { operation: 'memory_remember', priceMicros: toMicros(1_000 - START), reference: newId('mem') }
  await service.database.transaction((tx) => chargeFor(payingIn(service), tx, second, rest))
  return {
    service,
    payers: [first, second],
    charged: [],
    refused: [],
    answered: [],
    unanswered: [],
    granted: []
  }
}

/** Holds the tables against what was told, then lets the sweep find what was left behind and does it again. */
export async function expectNothingLost(fixture: Fixture): Promise<void> {
  const { database } = fixture.service
  await expectCreditsToAddUp(database.read)
  await expectToldInFull(fixture)

  await database.transaction((tx) =>
    tx
      .updateTable('creditReservation')
      .set({ expiresAt: '2000-01-01T00:00:00.000Z' })
      .where('partnerId', '=', fixture.payers[0].partnerId)
      .execute()
  )
  while ((await database.transaction((tx) => refundExpired(tx, 10))) > 0);
  await expectCreditsToAddUp(database.read)
  await expectToldInFull(fixture)
  await expectPaidForWhatWasTold(fixture)
  await expectFewNotices(fixture)
}

async function expectToldInFull({ service, charged, refused, answered, unanswered }: Fixture): Promise<void> {
  const read = service.database.read
  const references = async (among: readonly string[]) => {
    const rows = await read
      .selectFrom('creditEntry')
      .where('kind', '=', 'charge')
      .where('reference', 'in', [...among, ''])
      .select('reference')
      .execute()
    return new Set(rows.map(({ reference }) => reference))
  }
  const paid = charged.filter(({ micros }) => micros > 0).map(({ reference }) => reference)
  expect(await references(paid)).toEqual(new Set(paid))
  expect(await references(refused)).toEqual(new Set())

  const settled = await read
    .selectFrom('creditReservation')
    .where('status', '=', 'settled')
    .where('id', 'in', [...answered.map(({ reference }) => reference), ...unanswered, ''])
    .select(['id', 'answer'])
    .execute()
  const given = answered.map(({ reference, answer }) => `${reference} ${answer}`)
  expect(settled.map(({ id, answer }) => `${id} ${answer}`).toSorted()).toEqual(given.toSorted())
}

/** Once nothing is held, what is gone is what was told, and nothing else. */
async function expectPaidForWhatWasTold(fixture: Fixture): Promise<void> {
  const { service, payers, charged, answered, granted } = fixture
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0) / 1_000_000
  const spentBy = (those: readonly Payer[]) =>
    sum([...charged, ...answered].filter(({ payer }) => those.includes(payer)).map(({ micros }) => micros))
  const [first, second] = payers
  const { partner, customer } = await balancesOf(service, first)
  expect(partner).toBeCloseTo(START - spentBy(payers), 6)
  expect(customer).toBeCloseTo(10 + sum(granted) - spentBy([first]), 6)
  expect((await balancesOf(service, second)).customer).toBe(0)
}

/** Once at first, and once more after each grant that may have lifted the balance. */
async function expectFewNotices({ service, payers, granted }: Fixture): Promise<void> {
  const mails = await service.database.read
    .selectFrom('mail')
    .where('partnerId', '=', payers[0].partnerId)
    .select(['template', 'customerId'])
    .execute()
  expect(mails.length).toBeLessThanOrEqual(1 + granted.length)
  for (const mail of mails) {
    expect(mail).toEqual({ template: 'low_credit', customerId: payers[0].customer.id })
  }
}
