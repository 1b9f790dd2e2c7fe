import type { z } from 'zod'
import type { Remembered } from '../../schemas/mind.ts'
import { DAY_MS, fromNow, now } from '../clock.ts'
import { chargeFor } from '../credits/charge.ts'
import type { Payer, PaymentContext } from '../credits/payment.ts'
import type { WriteHandle } from '../database/database.ts'
import { newId } from '../ids.ts'
import type { StoreMemory } from './engine.ts'
import { contentHashOf, findTwin } from './memories.ts'
import { countMemories, lockMind } from './minds.ts'

/** The same words in the same Mind within this time are one memory. */
const TWIN_WITHIN_MS = DAY_MS

export interface ToRemember {
  mindId: string | undefined
  content: string
  /** Prepared beforehand, from the same content. */
  store: StoreMemory
  priceMicros: number
}

/**
 * Stores a memory in the customer's Mind and charges for it, both or neither; what is there already costs nothing.
 *
 * @throws ServiceError `mind_not_found`, `insufficient_credits`
 */
export async function remember(
  ctx: PaymentContext,
  tx: WriteHandle,
  payer: Payer,
  { mindId, content, store, priceMicros }: ToRemember
): Promise<z.input<typeof Remembered>> {
  const { partnerId, customer } = payer
  const mind = await lockMind(tx, { partnerId, customerId: customer.id }, mindId)
  const contentHash = contentHashOf(content)
  const twin = await findTwin(tx, mind.key, contentHash, fromNow(-TWIN_WITHIN_MS))
  if (twin) return { memoryId: twin.id, mindId: mind.id, duplicate: true, credits: 0 }

  const memoryId = newId('mem')
  await store(tx, { mindKey: mind.key, seq: mind.nextSeq, id: memoryId, contentHash, createdAt: now() })
  await countMemories(tx, mind, { added: 1 })
  // Last: from here to the commit, everybody else of this partner who pays waits.
  const priced = { operation: 'memory_remember', priceMicros, reference: memoryId }
  const { credits } = await chargeFor(ctx, tx, payer, priced)
  return { memoryId, mindId: mind.id, duplicate: false, credits }
}
