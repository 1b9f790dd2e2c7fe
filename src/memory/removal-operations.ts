// Forgetting a Mind and exporting work with the memory switched off, too: what is kept can always be taken out and deleted.
import { acknowledgement } from '../../schemas/envelope.ts'
import { ExportMind, Forget, MemoryPage, MindPath } from '../../schemas/mind.ts'
import { OPERATOR } from '../caller.ts'
import { getCustomer } from '../customers/store.ts'
import { ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { CHANGES, defineOperation, READS } from '../operation.ts'
import { nextTurn } from '../slices.ts'
import { exportPage } from './export.ts'
import { forgetMemory, forgetMind } from './forget.ts'
import { customerWithMemory } from './gate.ts'
import { getMind } from './minds.ts'

export const forgetMemoryOperation = defineOperation({
  name: 'memory_forget',
  title: 'Forget a memory',
  summary: 'Deletes one memory for good, with all that was made of it. Confirm with the user first.',
  scope: 'memory:write',
  channels: ['rest', 'mcp', 'console', 'portal', 'operator'],
  http: { method: 'delete', path: '/customers/{customerId}/memories/{memoryId}', group: 'Memory' },
  input: Forget,
  output: acknowledgement('The memory was forgotten.'),
  annotations: CHANGES,
  errors: ['memory_not_enabled', 'mind_not_found', 'memory_not_found', 'memory_unavailable'],
  async handle(ctx, { partnerId, actor }, { customerId, mindId, memoryId }) {
    return ctx.transaction(async (tx) => {
      // The operator deletes what a customer asks for, also once its memory is switched off.
      const find = actor === OPERATOR ? getCustomer : customerWithMemory
      const customer = await find(tx, partnerId, customerId)
      const owner = { partnerId, customerId: customer.id }
      await forgetMemory(tx, ctx.memoryEngine, owner, { mindId, memoryId })
      await ctx.audit(tx, { targetType: 'memory', targetId: memoryId })
      return { message: 'The memory was forgotten.' }
    })
  }
})

export const forgetMindOperation = defineOperation({
  name: 'memory_forget_mind',
  title: 'Forget a Mind',
  summary:
    'Deletes a Mind and every memory in it for good. A customer’s primary Mind is made anew, and empty, on next use.',
  scope: 'memory:write',
  channels: ['rest', 'console', 'portal', 'operator'],
  http: { method: 'delete', path: '/customers/{customerId}/minds/{mindId}', group: 'Memory' },
  input: MindPath,
  output: acknowledgement('The Mind was forgotten with its 12 memories.'),
  annotations: CHANGES,
  errors: ['mind_not_found', 'memory_unavailable'],
  async handle(ctx, { partnerId }, { customerId, mindId }) {
    return ctx.transaction(async (tx) => {
      const customer = await getCustomer(tx, partnerId, customerId)
      const owner = { partnerId, customerId: customer.id }
      const { memoryCount } = await forgetMind(tx, ctx.memoryEngine, owner, mindId)
      await ctx.audit(tx, { targetType: 'mind', targetId: mindId })
      return { message: `The Mind was forgotten with its ${memoryCount} memories.` }
    })
  }
})

/** A partner with a thousand downloads has one page at a time, and whoever reads as fast as it can lets others in between. */
const pages = createFairQueue({
  atOnce: 2,
  atOncePerTenant: 1,
  waitingPerTenant: 1_000,
  refusal: () => new ServiceError('memory_unavailable', 'Too many exports wait.', { retryAfterSeconds: 5 })
})

export const exportMind = defineOperation({
  name: 'memory_export',
  title: 'Export a Mind',
  summary:
    'Returns every memory of a Mind in the order in which it was told, one JSON object a line; mindgate memory import reads it back.',
  scope: 'memory:read',
  channels: ['rest', 'console', 'portal'],
  http: { method: 'get', path: '/customers/{customerId}/minds/{mindId}/export', group: 'Memory' },
  lines: 'memories',
  storedText: true,
  input: ExportMind,
  output: MemoryPage,
  annotations: READS,
  errors: ['mind_not_found', 'memory_unavailable'],
  async handle({ db }, { partnerId }, { customerId, mindId, cursor }) {
    const customer = await getCustomer(db, partnerId, customerId)
    const mind = await getMind(db, { partnerId, customerId: customer.id }, mindId)
    return pages.run(partnerId, () => nextTurn().then(() => exportPage(db, mind.key, cursor)))
  }
})

export const removalOperations = [forgetMemoryOperation, forgetMindOperation, exportMind]
