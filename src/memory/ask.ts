// A question: its price is held before the engine runs, and becomes final together with the answer.
import type { z } from 'zod'
import type { Answered, Ask } from '../../schemas/mind.ts'
import { fromNow } from '../clock.ts'
import type { Payer } from '../credits/payment.ts'
import { capture, holdLess, refund, reserve } from '../credits/reservations.ts'
import type { ReadHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { recordUsage } from '../llm/usage.ts'
import { fromMicros } from '../money.ts'
import type { ExternalContext } from '../operation.ts'
import { withinDeadline } from './availability.ts'
import type { EngineAnswer } from './engine.ts'
import { openMemory } from './gate.ts'
import { keptIds } from './memories.ts'
import { lockMind, type Mind } from './minds.ts'

type Answer = z.input<typeof Answered>

/** What settling or refunding may take beyond the engine's deadline and the waits for a locked database. */
const SETTLE_MARGIN_MS = 30_000

/**
 * Answers from one Mind. Whatever goes wrong, nothing is charged; nor is an answer that says nothing. What a higher level
 * adds nothing to costs as the level that it rests on.
 *
 * @throws ServiceError `memory_not_enabled`, `mind_not_found`, `insufficient_credits`
 */
export async function ask(
  ctx: ExternalContext<Answer>,
  payer: Payer,
  { mindId, question, reasoningLevel }: Omit<z.output<typeof Ask>, 'customerId'>
): Promise<Answer> {
  const { memoryDeadlineMs, busyDeadlineMs, creditPrices } = ctx.config
  const { partnerId } = payer
  const owner = { partnerId, customerId: payer.customer.id }
  const { mind, payers, priced, reservation } = await ctx.step(async (tx) => {
    const { customer, mind } = await openMemory(tx, partnerId, owner.customerId, mindId)
    const asked = mind ?? (await lockMind(tx, owner, undefined))
    const priceMicros = creditPrices.ask[reasoningLevel]
    const expiresAt = fromNow(memoryDeadlineMs + 2 * busyDeadlineMs + SETTLE_MARGIN_MS)
    const held = { operation: 'memory_ask', priceMicros, mindId: asked.id, expiresAt }
    const both = { ...payer, customer }
    return { mind: asked, payers: both, priced: held, reservation: await reserve(ctx, tx, both, held) }
  })
  try {
    const found = await withinDeadline(memoryDeadlineMs, ctx.signal, (signal) =>
      ctx.memoryEngine.ask(ctx.db, mind, { text: question, level: reasoningLevel }, signal)
    )
    const { level = reasoningLevel, usage, ...given } = found
    const isFree = given.degraded || !given.found
    const priceMicros = Math.min(priced.priceMicros, creditPrices.ask[level])
    const credits = isFree ? 0 : fromMicros(priceMicros)
    const answer = { ...given, reasoningLevel: level, credits }
    return await ctx.transaction(async (tx) => {
      // Under the lock nothing is forgotten between this look and the answer's keeping.
      const locked = await lockMind(tx, owner, mind.id)
      await requireKept(tx, { before: mind, after: locked }, found)
      await recordUsage(tx, mind.key, usage)
      if (isFree) await refund(tx, reservation.reservationId)
      else {
        const isLess = priceMicros < priced.priceMicros
        const held = isLess
          ? await holdLess(ctx, tx, payers, reservation.reservationId, { ...priced, priceMicros })
          : reservation
        await capture(tx, held.reservationId, JSON.stringify(answer))
      }
      return answer
    }, mind.id)
  } catch (error) {
    // Where even this fails, the sweep refunds it once it has expired.
    await Promise.allSettled([ctx.step((tx) => refund(tx, reservation.reservationId))])
    throw error
  }
}

type Places = Pick<Mind, 'nextSeq' | 'memoryCount'>

/** What was forgotten while the engine worked must not come back in its answer. */
async function requireKept(
  db: ReadHandle,
  { before, after }: { before: Places; after: Places & Pick<Mind, 'key'> },
  { sources, model }: EngineAnswer
): Promise<void> {
  const ids = new Set(sources.map(({ memoryId }) => memoryId))
  // What a model wrote may stand on more than it cites.
  const isWhole = model === null || forgottenOf(before) === forgottenOf(after)
  if (isWhole && (await keptIds(db, after.key, [...ids])).length === ids.size) return
  const message = 'A memory was forgotten while the question was being answered. Ask again.'
  throw new ServiceError('memory_unavailable', message, { retryAfterSeconds: 1 })
}

/** How many memories of the Mind were ever forgotten: places are never given twice. */
const forgottenOf = ({ nextSeq, memoryCount }: Places): number => nextSeq - memoryCount
