// Credits taken before the work begins: held, then captured with the answer, or refunded. Each change is one
// compare-and-set on the status, so that whoever comes second changes nothing.
import type { Generated } from 'kysely'
import { now } from '../clock.ts'
import { compiledOnce, insertOf, type Slot } from '../database/compiled.ts'
import type { WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { THIS_PROCESS } from '../jobs/owner.ts'
import { fromMicros } from '../money.ts'
import { billCredits, type Payer, type PaymentContext, takeFromBoth } from './payment.ts'
import { type AccountOwner, addTo, insertEntries } from './store.ts'

interface Reserved {
  operation: string
  priceMicros: number
  mindId: string
  /** When a sweep may take it for left behind: later than the work can possibly end. */
  expiresAt: string
}

/**
 * Takes what an answer will cost from the partner, and from the customer if it has AI credits.
 *
 * @throws ServiceError `insufficient_credits`; the transaction must end with it
 */
export async function reserve(
  ctx: PaymentContext,
  tx: WriteHandle,
  payer: Payer,
  { operation, priceMicros, mindId, expiresAt }: Reserved
) {
  const reservationId = newId('res')
  const reason = { kind: 'hold', operation, reference: reservationId } as const
  const cost = await takeFromBoth(ctx, tx, payer, priceMicros, reason)
  await insertRow(tx, [
    {
      id: reservationId,
      partnerId: payer.partnerId,
      customerId: payer.customer.id,
      mindId,
      operation,
      ...cost,
      status: 'held',
      expiresAt,
      leaseOwner: THIS_PROCESS,
      createdAt: now()
    }
  ])
  return { reservationId, credits: fromMicros(priceMicros) }
}

const insertRow = insertOf('creditReservation', [
  ...(['id', 'partnerId', 'customerId', 'mindId', 'operation', 'partnerMicros', 'customerMicros'] as const),
  ...(['coveredMicros', 'usageMicros', 'status', 'expiresAt', 'leaseOwner', 'createdAt'] as const)
])

/**
 * Keeps what was held, with the answer that it paid for, and bills the customer.
 *
 * @throws ServiceError `memory_unavailable` when it was refunded meanwhile: the answer came too late to be paid
 */
export async function capture(tx: WriteHandle, reservationId: string, answerJson: string): Promise<void> {
  const [settled] = await settle(tx, reservationId, answerJson, now())
  if (!settled) throw tooLate()
  await billCredits(tx, settled, settled.usageMicros, reservationId)
}

const settle = compiledOnce((tx: WriteHandle, id: Slot<string>, answer: Slot<string>, at: Slot<string>) =>
  tx
    .updateTable('creditReservation')
    .set({ status: 'settled', leaseOwner: null, answer, settledAt: at })
    .where('id', '=', id)
    .where('status', '=', 'held')
    .returning(['partnerId', 'customerId', 'usageMicros'])
)

/**
 * Gives back what was held, and holds a lower price in its place: what is given back is given back as a whole.
 *
 * @throws ServiceError `memory_unavailable` when it was refunded meanwhile
 */
export async function holdLess(
  ctx: PaymentContext,
  tx: WriteHandle,
  payer: Payer,
  reservationId: string,
  reserved: Reserved
) {
  if (!(await refund(tx, reservationId))) throw tooLate()
  return reserve(ctx, tx, payer, reserved)
}

function tooLate() {
  const message = 'The answer took too long. Nothing was charged; ask again.'
  return new ServiceError('memory_unavailable', message, { retryAfterSeconds: 1 })
}

/** Gives back what was held; whether it still was. */
export const refund = async (tx: WriteHandle, id: string): Promise<boolean> =>
  (await refundAll(tx, [{ id }])) === 1

/** Refunds a batch of what was left behind by processes that ended; how many there were. */
export async function refundExpired(tx: WriteHandle, batch: number): Promise<number> {
  const expired = await tx
    .selectFrom('creditReservation')
    .where('status', '=', 'held')
    .where('expiresAt', '<=', now())
    .select('id')
    .orderBy('expiresAt')
    .limit(batch)
    .execute()
  await refundAll(tx, expired)
  return expired.length
}

/** Refunds all that is held for a customer which is about to go: no answer will capture it. */
export async function refundHeldOf(tx: WriteHandle, customerId: string): Promise<void> {
  const held = tx.selectFrom('creditReservation').where('customerId', '=', customerId)
  await refundAll(tx, await held.where('status', '=', 'held').select('id').execute())
}

async function refundAll(tx: WriteHandle, reservations: readonly { id: string }[]): Promise<number> {
  const held: Held[] = []
  for (const { id } of reservations) held.push(...(await release(tx, id)))
  await giveBack(tx, held)
  return held.length
}

type Held = Awaited<ReturnType<typeof release>>[number]

const release = compiledOnce((tx: WriteHandle, id: Slot<string>) =>
  tx
    .updateTable('creditReservation')
    .set({ status: 'refunded', leaseOwner: null })
    .where('id', '=', id)
    .where('status', '=', 'held')
    .returning(['id', 'partnerId', 'customerId', 'operation'])
    .returning(['partnerMicros', 'customerMicros', 'coveredMicros'])
)

/** Every partner before every customer, each in the order of their ids, as everybody who pays: no circle of waits. */
async function giveBack(tx: WriteHandle, released: readonly Held[]): Promise<void> {
  const refunds = released
    .flatMap(({ id, partnerId, customerId, operation, partnerMicros, customerMicros, coveredMicros }) => {
      const reason = { kind: 'refund', operation, reference: id } as const
      return [
        { owner: { partnerId, customerId: null }, micros: partnerMicros, paidMicros: 0, reason },
        { owner: { partnerId, customerId }, micros: customerMicros, paidMicros: coveredMicros, reason }
      ]
    })
    .filter(({ micros }) => micros > 0)
    .sort((a, b) => (lockKey(a.owner) < lockKey(b.owner) ? -1 : 1))
  for (const { owner, micros, paidMicros, reason } of refunds) {
    const moved = await addTo(tx, owner, micros, { paidMicros })
    if (!moved) throw new Error(`The account that ${reason.reference} was taken from is gone`)
    await insertEntries(tx, [moved], reason)
  }
}

const lockKey = ({ partnerId, customerId }: AccountOwner): string =>
  customerId === null ? `1 ${partnerId}` : `2 ${customerId}`

declare module '../database/tables.ts' {
  interface Tables {
    creditReservation: Owned & {
      customerId: string
      mindId: string
      operation: string
      partnerMicros: number
      /** 0 where the customer has no AI credits of its own, or is billed for all of it. */
      customerMicros: number
      /** What the customer is billed once it is settled; 0 where no price per minute is asked for. */
      usageMicros: number
      status: 'held' | 'settled' | 'refunded'
      /** JSON of the answer that was paid for; null before, and once it is erased. */
      answer: string | null
      /** When the answer was erased, because it was old or a memory in it was forgotten. */
      answerErasedAt: string | null
      /** Of what was taken from the customer, what it had paid for before. */
      coveredMicros: Generated<number>
      expiresAt: string
      leaseOwner: string | null
      createdAt: string
      settledAt: string | null
    }
  }
}
