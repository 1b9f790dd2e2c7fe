// Acts on credits, each broken off between any two of its steps, inside of a transaction or outside.
import fc from 'fast-check'
import { fromNow } from '../../src/clock.ts'
import { chargeFor } from '../../src/credits/payment.ts'
import { capture, refund, refundExpired, reserve } from '../../src/credits/reservations.ts'
import { grantCredits } from '../../src/credits/store.ts'
import type { WriteHandle } from '../../src/database/database.ts'
import { isUniqueViolation } from '../../src/database/faults.ts'
import { ServiceError } from '../../src/errors.ts'
import { newId } from '../../src/ids.ts'
import type { Fixture } from './fixture.ts'
import { payingIn } from './payers.ts'

export type Act = (fixture: Fixture) => Promise<void>

/** A failure of our making. */
class Broken extends Error {}

/** One transaction of the fixture that breaks before or after its work, if told to. It tells whether it committed. */
async function attempt(
  { service }: Fixture,
  breaks: 'before' | 'after' | 'never',
  work: (tx: WriteHandle) => Promise<unknown>
): Promise<boolean> {
  try {
    await service.database.transaction(async (tx) => {
      if (breaks === 'before') throw new Broken()
      await work(tx)
      if (breaks === 'after') throw new Broken()
    })
    return true
  } catch (error) {
    const isExpected = error instanceof Broken || error instanceof ServiceError || isUniqueViolation(error)
    if (!isExpected) throw error
    return false
  }
}

const who = fc.constantFrom(0 as const, 1 as const)
const micros = fc.constantFrom(0, 1, 500_000, 1_000_000, 1_000_000, 3_000_000)
const breaks = fc.oneof(
  { arbitrary: fc.constant('never' as const), weight: 4 },
  fc.constantFrom('before' as const, 'after' as const)
)

const charges = fc.record({ who, micros, breaks, isRepeated: fc.boolean() }).map((chosen): Act => {
  return async (fixture) => {
    const payer = fixture.payers[chosen.who]
    const reference = newId('mem')
    const priced = { operation: 'memory_remember', priceMicros: chosen.micros, reference }
    const pay = (tx: WriteHandle) => chargeFor(payingIn(fixture.service), tx, payer, priced)
    const outcomes = [
      attempt(fixture, chosen.breaks, pay),
      ...(chosen.isRepeated ? [attempt(fixture, 'never', pay)] : [])
    ]
    const paid = (await Promise.all(outcomes)).filter(Boolean).length
    if (paid === 0) fixture.refused.push(reference)
    else fixture.charged.push({ reference, payer, micros: chosen.micros })
  }
})

/** What is tried at once after the credits are held; nothing where the process dies. */
const ends = fc.constantFrom<readonly ('answer' | 'refund')[]>(
  [],
  ['answer'],
  ['refund'],
  ['refund', 'refund'],
  ['answer', 'refund'],
  ['refund', 'answer']
)

const asks = fc
  .record({ who, micros, breaks, ends, settleBreaks: breaks, isExpired: fc.boolean() })
  .map((chosen): Act => {
    return async (fixture) => {
      const payer = fixture.payers[chosen.who]
      const priced = {
        operation: 'memory_ask',
        priceMicros: chosen.micros,
        mindId: 'mind_1',
        expiresAt: fromNow(chosen.isExpired ? -1 : 60_000)
      }
      let reference = ''
      const isHeld = await attempt(fixture, chosen.breaks, async (tx) => {
        reference = (await reserve(payingIn(fixture.service), tx, payer, priced)).reservationId
      })
      const answer = JSON.stringify({ answer: reference })
      const steps = {
        answer: () => attempt(fixture, chosen.settleBreaks, (tx) => capture(tx, reference, answer)),
        refund: () => attempt(fixture, chosen.breaks, (tx) => refund(tx, reference))
      }
      const tried = isHeld ? chosen.ends : []
      const done = await Promise.all(tried.map((step) => steps[step]()))
      if (tried.some((step, index) => step === 'answer' && done[index])) {
        fixture.answered.push({ reference, payer, micros: chosen.micros, answer })
      } else fixture.unanswered.push(reference)
    }
  })

const amounts = fc.constantFrom(1, 2_000_000, 5_000_000)
const grants = fc.record({ amount: amounts, breaks, isPaid: fc.boolean() }).map((chosen): Act => {
  return async (fixture) => {
    const { partnerId, customer } = fixture.payers[0]
    const owner = { partnerId, customerId: customer.id }
    const isGranted = await attempt(fixture, chosen.breaks, (tx) =>
      grantCredits(tx, owner, {
        amountMicros: chosen.amount,
        ...(chosen.isPaid
          ? { paid: { kind: 'purchase', operation: 'pack_buy', reference: newId('pur') } }
          : {})
      })
    )
    if (isGranted) fixture.granted.push(chosen.amount)
  }
})

const sweeps = breaks.map((chosen): Act => {
  return async (fixture) => void (await attempt(fixture, chosen, (tx) => refundExpired(tx, 3)))
})

/** Any act, most often one that pays. */
export const acts: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: charges, weight: 4 },
  { arbitrary: asks, weight: 5 },
  { arbitrary: grants, weight: 1 },
  { arbitrary: sweeps, weight: 2 }
)
