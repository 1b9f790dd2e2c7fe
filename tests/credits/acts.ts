// Acts on credits, each broken off between any two of its steps, inside of a transaction or outside.
import fc from 'fast-check'
import { fromNow } from '../../src/clock.ts'
import { chargeFor } from '../../src/credits/charge.ts'
import { grantCredits } from '../../src/credits/grant.ts'
import { capture, refund, refundExpired, reserve } from '../../src/credits/reservations.ts'
import type { WriteHandle } from '../../src/database/database.ts'
import { isUniqueViolation } from '../../src/database/faults.ts'
import { ServiceError } from '../../src/errors.ts'
import { newId } from '../../src/ids.ts'
import { payingIn } from './payers.ts'
import type { Scene } from './scene.ts'

export type Act = (scene: Scene) => Promise<void>

/** A failure of our making. */
class Broken extends Error {}

/** One transaction of the scene that breaks before or after its work, if told to. It tells whether it committed. */
async function attempt(
  { service }: Scene,
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
  return async (scene) => {
    const payer = scene.payers[chosen.who]
    const reference = newId('mem')
    const priced = { operation: 'memory_remember', priceMicros: chosen.micros, reference }
    const pay = (tx: WriteHandle) => chargeFor(payingIn(scene.service), tx, payer, priced)
    const outcomes = [
      attempt(scene, chosen.breaks, pay),
      ...(chosen.isRepeated ? [attempt(scene, 'never', pay)] : [])
    ]
    const paid = (await Promise.all(outcomes)).filter(Boolean).length
    if (paid === 0) scene.refused.push(reference)
    else scene.charged.push({ reference, payer, micros: chosen.micros })
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
    return async (scene) => {
      const payer = scene.payers[chosen.who]
      const priced = {
        operation: 'memory_ask',
        priceMicros: chosen.micros,
        mindId: 'mind_1',
        expiresAt: fromNow(chosen.isExpired ? -1 : 60_000)
      }
      let reference = ''
      const isHeld = await attempt(scene, chosen.breaks, async (tx) => {
        reference = (await reserve(payingIn(scene.service), tx, payer, priced)).reservationId
      })
      const answer = JSON.stringify({ answer: reference })
      const steps = {
        answer: () => attempt(scene, chosen.settleBreaks, (tx) => capture(tx, reference, answer)),
        refund: () => attempt(scene, chosen.breaks, (tx) => refund(tx, reference))
      }
      const tried = isHeld ? chosen.ends : []
      const done = await Promise.all(tried.map((step) => steps[step]()))
      if (tried.some((step, index) => step === 'answer' && done[index])) {
        scene.answered.push({ reference, payer, micros: chosen.micros, answer })
      } else scene.unanswered.push(reference)
    }
  })

const grants = fc.record({ amount: fc.constantFrom(1, 2_000_000, 5_000_000), breaks }).map((chosen): Act => {
  return async (scene) => {
    const { partnerId, customer } = scene.payers[0]
    const owner = { partnerId, customerId: customer.id }
    const isGranted = await attempt(scene, chosen.breaks, (tx) =>
      grantCredits(tx, owner, { amountMicros: chosen.amount })
    )
    if (isGranted) scene.granted.push(chosen.amount)
  }
})

const sweeps = breaks.map((chosen): Act => {
  return async (scene) => void (await attempt(scene, chosen, (tx) => refundExpired(tx, 3)))
})

/** Any act, most often one that pays. */
export const acts: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: charges, weight: 4 },
  { arbitrary: asks, weight: 5 },
  { arbitrary: grants, weight: 1 },
  { arbitrary: sweeps, weight: 2 }
)
