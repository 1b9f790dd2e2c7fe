import type { z } from 'zod'
import type { Remembered } from '../../schemas/mind.ts'
import type { Caller } from '../caller.ts'
import { DAY_MS, fromNow, now } from '../clock.ts'
import { chargeFor, requireCredits } from '../credits/payment.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { invalidField } from '../invalid-input.ts'
import type { OperationContext } from '../operation.ts'
import { tell } from '../webhooks/events.ts'
import type { NewMemory, StoreMemory } from './engine.ts'
import { type OpenMind, openMemory } from './gate.ts'
import { contentHashOf, findPlace, findTwin, memoriesAt } from './memories.ts'
import { countMemories, type Owner, takePlace } from './minds.ts'

/** The same words in the same Mind within this time are one memory. */
const TWIN_WITHIN_MS = DAY_MS

type Answer = z.input<typeof Remembered>

interface ToRemember extends NewMemory {
  customerId: string
  mindId: string | undefined
  mind: OpenMind | undefined
  /** The memory that it corrects, of the same Mind. */
  supersedes?: string | undefined
}

/**
 * Stores, corrects and charges, or none of it; a twin is free.
 * @throws ServiceError `mind_not_found`, `memory_not_found`, `invalid_input`, `insufficient_credits`
 */
export async function remember(
  ctx: OperationContext<Answer>,
  caller: Caller,
  { customerId, mindId, mind: seen, supersedes, ...told }: ToRemember
): Promise<Answer> {
  const { partnerId } = caller
  const priceMicros = ctx.config.creditPrices.remember
  const contentHash = contentHashOf(told.content)
  const store = await prepare()
  return ctx.transaction(async (tx) => {
    const owner = { partnerId, customerId }
    const { customer, mind: open } = await openMemory(tx, partnerId, customerId, mindId)
    const mind = await takePlace(tx, owner, mindId, open)
    const [twin] = await findTwin(tx, mind.key, contentHash, fromNow(-TWIN_WITHIN_MS))
    const corrected = supersedes && (await findCorrected(tx, owner, supersedes, twin))
    if (twin) {
      const at = open && open.updatedAt > twin.createdAt ? open.updatedAt : twin.createdAt
      await countMemories(tx, mind.key, -1, -1, at)
      if (corrected) await ctx.memoryEngine.supersede(tx, mind.key, corrected.seq, twin.seq)
      return { memoryId: twin.id, mindId: mind.id, duplicate: true, credits: 0 }
    }

    const memoryId = newId('mem')
    await store(tx, { mindKey: mind.key, seq: mind.seq, id: memoryId, contentHash, createdAt: now() })
    if (corrected) await ctx.memoryEngine.supersede(tx, mind.key, corrected.seq, mind.seq)
    if (customer.hasWebhook)
      await tell(tx, partnerId, 'memory.written', { customerId, mindId: mind.id, memoryId })
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

/** Nothing where it is the twin itself, or what the twin corrected before: then the call came twice. */
async function findCorrected(
  tx: WriteHandle,
  owner: Owner,
  memoryId: string,
  twin: { id: string; seq: number } | undefined
) {
  const { mindKey, seq, supersededBy } = await findToCorrect(tx, owner, memoryId)
  if (twin && (twin.seq === seq || twin.seq === supersededBy)) return undefined
  if (supersededBy === null) return { seq }
  const [by] = await memoriesAt(tx, mindKey, [supersededBy], 0)
  throw invalidField('supersedes', `was corrected already: name ${by?.id}, which took its place`)
}

/** The place of a memory that is to be corrected. */
const findToCorrect = async (db: ReadHandle, owner: Owner, memoryId: string) =>
  (await findPlace(db, owner, memoryId)) ?? refuseCorrection()

/** The Mind where that memory is, which is the named one where one is named. @throws ServiceError `memory_not_found`, and as `openMemory` */
export async function mindToCorrect(
  db: ReadHandle,
  partnerId: string,
  { customer, mind }: Awaited<ReturnType<typeof openMemory>>,
  named: string | undefined,
  memoryId: string
) {
  const customerId = customer.id
  const { mindId } = await findToCorrect(db, { partnerId, customerId }, memoryId)
  if (mindId === mind?.id) return { mindId, mind }
  if (named !== undefined) refuseCorrection()
  return { mindId, mind: (await openMemory(db, partnerId, customerId, mindId)).mind }
}

function refuseCorrection(): never {
  const message = 'supersedes names no memory of this Mind.'
  throw new ServiceError('memory_not_found', message, { field: 'supersedes' })
}

/** In place of storing what was there a moment ago. */
const refuseLost: StoreMemory = async () => {
  throw new ServiceError('memory_unavailable', 'The same memory was forgotten just now. Try again.', {
    retryAfterSeconds: 1
  })
}
