import { z } from 'zod'
import { ImportedMemory } from '../../schemas/mind.ts'
import { CustomerId, RecordId } from '../../schemas/primitives.ts'
import { DAY_MS } from '../clock.ts'
import { getCustomer } from '../customers/store.ts'
import { defineOperation, SETS } from '../operation.ts'
import { openHoncho } from './honcho/api.ts'
import { queueBackfill } from './honcho/backfill.ts'
import { importMemories } from './import.ts'

export const MemoriesImported = z.object({ imported: z.int(), alreadyThere: z.int() })

/** Stores memories without a charge. Given once more, they go on where it stopped. */
export const importMemoriesOperation = defineOperation({
  name: 'memory_import',
  title: 'Import memories',
  scope: 'memory:write',
  channels: ['operator'],
  input: z.strictObject({
    customerId: CustomerId,
    mindId: RecordId.optional(),
    memories: z.array(ImportedMemory)
  }),
  output: MemoriesImported,
  annotations: SETS,
  errors: ['mind_not_found'],
  deadlineMs: DAY_MS,
  async handle(ctx, { partnerId }, { customerId: reference, mindId, memories }) {
    const { id: customerId } = await getCustomer(ctx.db, partnerId, reference)
    const target = { owner: { partnerId, customerId }, mindId }
    // First: what is interrupted has done something, too.
    await ctx.step((tx) =>
      ctx.audit(tx, { targetType: 'customer', targetId: customerId, fields: ['memories'] })
    )
    return importMemories(ctx, target, memories, ctx.onProgress)
  }
})

export const Backfilled = z.object({
  minds: z.int(),
  memories: z.int(),
  lastError: z.string().nullable(),
  refused: z.int()
})

/** Puts in line what Honcho was not told of a customer, a partner’s customers, or everybody’s. */
export const backfillMemory = defineOperation({
  name: 'memory_backfill',
  title: 'Hand memories to Honcho',
  scope: 'memory:write',
  channels: ['operator'],
  input: z.strictObject({ customerId: CustomerId.optional() }),
  output: Backfilled,
  annotations: { ...SETS, openWorld: true },
  deadlineMs: DAY_MS,
  async handle(ctx, { partnerId }, { customerId: reference }) {
    const { server } = ctx.config.honcho
    if (!server) throw new Error('HONCHO_URL is not set')
    const customerId = reference && (await getCustomer(ctx.db, partnerId, reference)).id
    const scope = customerId === undefined ? { partnerId: partnerId || undefined } : { customerId }
    const queued = await queueBackfill({ database: ctx.database, honcho: openHoncho(server) }, scope)
    return ctx.transaction(async (tx) => {
      const targetType = customerId ? 'customer' : 'partner'
      await ctx.audit(tx, { targetType, targetId: customerId ?? (partnerId || 'all'), fields: ['honcho'] })
      return queued
    })
  }
})

export const memoryOperatorOperations = [importMemoriesOperation, backfillMemory]
