import type { z } from 'zod'
import type { Remembered } from '../../schemas/mind.ts'
import type { Caller } from '../caller.ts'
import { DAY_MS, fromNow, now } from '../clock.ts'
import { chargeFor, requireCredits } from '../credits/payment.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { OperationContext } from '../operation.ts'
import type { NewMemory, StoreMemory } from './engine.ts'
import { customerWithMemory } from './gate.ts'
import { contentHashOf, findTwin } from './memories.ts'
import { countMemories, lockMind, type Mind } from './minds.ts'

/** The same words in the same Mind within this time are one memory. */
const TWIN_WITHIN_MS = DAY_MS

type Answer = z.input<typeof Remembered>

interface ToRemember extends NewMemory {
  customerId: string
  mindId: string | undefined
  mind: Mind | undefined
}

/** Stores and charges, or neither; a twin is free. @throws ServiceError `mind_not_found`, `insufficient_credits` */
export async function remember(
  ctx: OperationContext<Answer>,
  caller: Caller,
  { customerId, mindId, mind: seen, ...told }: ToRemember
): Promise<Answer> {
  const { partnerId } = caller
  const priceMicros = ctx.config.creditPrices.remember
  const contentHash = contentHashOf(told.content)
  const store = await prepare()
  return ctx.transaction(async (tx) => {
    const customer = await customerWithMemory(tx, partnerId, customerId)
    const mind = await lockMind(tx, { partnerId, customerId }, mindId)
    const [twin] = await findTwin(tx, mind.key, contentHash, fromNow(-TWIN_WITHIN_MS))
    if (twin) return { memoryId: twin.id, mindId: mind.id, duplicate: true, credits: 0 }

    const memoryId = newId('mem')
    await store(tx, { mindKey: mind.key, seq: mind.nextSeq, id: memoryId, contentHash, createdAt: now() })
    await countMemories(tx, mind, { added: 1 })
    // Last: from here to the commit, everybody else of this partner who pays waits.
    const priced = { operation: 'memory_remember', priceMicros, reference: memoryId }
    const { credits } = await chargeFor(ctx, tx, { ...caller, customer }, priced)
    return { memoryId, mindId: mind.id, duplicate: false, credits }
  })

  /** Reading the text is what costs: it isn't done for who can't pay, nor for what is there already. */
  async function prepare(): Promise<StoreMemory> {
    const twins = seen && (await findTwin(ctx.db, seen.key, contentHash, fromNow(-TWIN_WITHIN_MS)))
    if (twins?.[0]) return refuseLost
    await requireCredits(ctx.db, caller, customerId, priceMicros)
    return ctx.memoryEngine.prepare(told, partnerId)
  }
}

/** In place of storing what was there a moment ago. */
const refuseLost: StoreMemory = async () => {
  throw new ServiceError('memory_unavailable', 'The same memory was forgotten just now. Try again.', {
    retryAfterSeconds: 1
  })
}
