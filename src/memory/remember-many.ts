import type { z } from 'zod'
import type { Remembered, RememberedMany } from '../../schemas/mind.ts'
import type { Caller } from '../caller.ts'
import { ServiceError, toServiceError } from '../errors.ts'
import type { ExternalContext } from '../operation.ts'
import type { NewMemory } from './engine.ts'
import { openMemory } from './gate.ts'
import { remember } from './remember.ts'
import { queueMemoryWrite } from './write-queue.ts'

type Answer = z.input<typeof RememberedMany>
type Outcome = Answer['memories'][number]

interface ToldAtOnce {
  customerId: string
  mindId: string | undefined
  told: readonly NewMemory[]
}

/**
 * Stores and charges each by itself, one after the other; other customers' calls, and other calls of this one, have their
 * turns in between. It ends at the first that can't be kept: what was kept before stays, and is told.
 * @throws ServiceError what keeps the first one out; then nothing was stored
 */
export async function rememberMany(
  ctx: ExternalContext<Answer>,
  caller: Caller,
  { customerId, mindId, told }: ToldAtOnce
): Promise<Answer> {
  const memories: Outcome[] = []
  for (const memory of told) {
    try {
      memories.push({ ...(await keep(memory)), error: null })
    } catch (thrown) {
      const error = toServiceError(thrown)
      if (memories.length === 0 || error.code === 'internal') throw thrown
      return answerOf(memories, told.length, error)
    }
  }
  return answerOf(memories, told.length)

  async function keep(memory: NewMemory) {
    if (ctx.signal.aborted) throw new ServiceError('memory_unavailable', undefined, { retryAfterSeconds: 1 })
    const { mind } = await openMemory(ctx.db, caller.partnerId, customerId, mindId)
    await ctx.limitMemory(customerId, memory.content)
    const one = { ...ctx, transaction: (work: Parameters<typeof ctx.step<Kept>>[0]) => ctx.step(work) }
    const { memoryId, duplicate, credits } = await queueMemoryWrite(
      customerId,
      ctx.config.busyDeadlineMs,
      () => remember(one, caller, { customerId, mindId, mind, ...memory })
    )
    return { memoryId, duplicate, credits }
  }
}

type Kept = z.input<typeof Remembered>

function answerOf(kept: readonly Outcome[], count: number, error?: ServiceError): Answer {
  const credits = kept.reduce((sum, one) => sum + one.credits, 0)
  const missing = Array.from({ length: count - kept.length }, () => NOT_KEPT(error?.code ?? null))
  const message = error
    ? `${kept.length} of ${count} are kept; send the other ${count - kept.length} again. ${error.message}`
    : `All ${count} are kept.`
  return {
    memories: [...kept, ...missing],
    kept: kept.length,
    credits: Math.round(credits * 1e6) / 1e6,
    message
  }
}

const NOT_KEPT = (error: string | null): Outcome => ({ memoryId: null, duplicate: false, credits: 0, error })
