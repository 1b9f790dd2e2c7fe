// The tools of the gateways (§4B), and forgetting and exporting a Mind. These two work with the memory switched off, too:
// what is kept can always be taken out and deleted.
import type { z } from 'zod'
import { CustomerPath } from '../../schemas/customer.ts'
import { acknowledgement } from '../../schemas/envelope.ts'
import {
  Answered,
  Ask,
  CreateMind,
  ExportMind,
  Forget,
  FoundMemories,
  MemoryPage,
  MindList,
  MindPath,
  Mind as MindRecord,
  Recall,
  Recalled,
  Remember,
  Remembered,
  RememberedMany,
  RememberMany,
  SearchMemories
} from '../../schemas/mind.ts'
import { OPERATOR } from '../caller.ts'
import { LONGEST_ASK_MS } from '../config.ts'
import { getCustomer, lockCustomer } from '../customers/store.ts'
import { ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { ADDS, CHANGES, defineOperation, SETS } from '../operation.ts'
import { nextTurn } from '../slices.ts'
import { ask } from './ask.ts'
import { forgetMemory, forgetMind } from './forget.ts'
import { customerIdWithMemory, openMemory } from './gate.ts'
import { exportPage, occurrence } from './memories.ts'
import { countMinds, getMind, insertMind, listMinds, lockMind, type Mind } from './minds.ts'
import { recall, recallEmpty } from './recall.ts'
import { mindToCorrect, remember } from './remember.ts'
import { rememberMany } from './remember-many.ts'
import { searchMemories } from './search-memories.ts'
import { queueMemoryWrite } from './write-queue.ts'

/** More of one customer than anybody tells apart. */
const MAX_MINDS = 1_000

const PAID_ERRORS = [
  'memory_not_enabled',
  'mind_not_found',
  'memory_rate_limited',
  'insufficient_credits',
  'memory_unavailable'
] as const

export const listMindsOperation = defineOperation({
  name: 'memory_list_minds',
  title: 'List Minds',
  summary: 'Returns a customer’s Minds, the primary one first; it is made on first use.',
  scope: 'memory:read',
  channels: ['mcp', 'console', 'portal'],
  input: CustomerPath,
  output: MindList,
  errors: ['memory_not_enabled', 'memory_unavailable'],
  async handle({ db }, { partnerId }, { customerId }) {
    const owner = { partnerId, customerId: await customerIdWithMemory(db, partnerId, customerId) }
    return { minds: (await listMinds(db, owner)).map(toRecord) }
  }
})

export const createMind = defineOperation({
  name: 'memory_create_mind',
  title: 'Create a Mind',
  summary: 'Creates one more Mind for a customer, to keep a subject apart. Most need only the primary one.',
  scope: 'memory:write',
  channels: ['mcp', 'console', 'portal'],
  input: CreateMind,
  output: MindRecord,
  annotations: ADDS,
  errors: ['memory_not_enabled', 'memory_unavailable'],
  async write(tx, ctx, { partnerId }, { customerId: reference, name, description = null }) {
    // The lock makes count and insert one step.
    const { id: customerId } = await lockCustomer(tx, partnerId, reference)
    await customerIdWithMemory(tx, partnerId, customerId)
    if ((await countMinds(tx, { partnerId, customerId })) >= MAX_MINDS) {
      const message = `A customer has at most ${MAX_MINDS} Minds. Use one that is there.`
      throw new ServiceError('invalid_input', message)
    }
    const mind = await insertMind(tx, { partnerId, customerId }, { name, description })
    await ctx.audit(tx, { targetType: 'mind', targetId: mind.id })
    return toRecord(mind)
  }
})

export const rememberOperation = defineOperation({
  name: 'memory_remember',
  title: 'Remember',
  summary:
    'Stores a text in a customer’s memory; begin with "Name: " to say who said it. The same text within a day is stored and charged once.',
  scope: 'memory:write',
  channels: ['mcp', 'console', 'portal'],
  input: Remember,
  output: Remembered,
  annotations: SETS,
  errors: [...PAID_ERRORS, 'memory_not_found'],
  async handle(ctx, caller, { customerId: reference, mindId: named, content, occurredAt: told, supersedes }) {
    const occurredAt = occurrence(told)
    const opened = await openMemory(ctx.db, caller.partnerId, reference, named)
    const customerId = opened.customer.id
    // A correction goes where the memory is that it corrects.
    const place = supersedes
      ? await mindToCorrect(ctx.db, caller.partnerId, opened, named, supersedes)
      : { mindId: named, mind: opened.mind }
    await ctx.limitMemory(customerId, content)
    const toRemember = { customerId, ...place, content, occurredAt, supersedes }
    return queueMemoryWrite(customerId, ctx.config.busyDeadlineMs, () => remember(ctx, caller, toRemember))
  }
})

/** Nobody waits longer for many than for one that is asked. */
export const rememberManyOperation = defineOperation({
  name: 'memory_remember_many',
  title: 'Remember several',
  summary: 'Stores up to 20 texts in a customer’s memory, each as memory_remember would.',
  scope: 'memory:write',
  channels: ['rest', 'mcp'],
  http: { method: 'post', path: '/customers/{customerId}/memories', group: 'Memory' },
  deadlineMs: LONGEST_ASK_MS,
  input: RememberMany,
  output: RememberedMany,
  annotations: SETS,
  errors: PAID_ERRORS,
  async handle(ctx, caller, { customerId: reference, mindId, contents, occurredAt: at }) {
    const occurredAt = occurrence(at)
    const told = contents.map((content) => ({ content, occurredAt }))
    const customerId = await customerIdWithMemory(ctx.db, caller.partnerId, reference)
    return rememberMany(ctx, caller, { customerId, mindId, told })
  }
})

export const recallOperation = defineOperation({
  name: 'memory_recall',
  title: 'Recall',
  summary:
    'Returns what a customer’s memory holds: profile, snapshot of late and the newest 20 memories. Free; call it before a conversation.',
  scope: 'memory:read',
  channels: ['mcp', 'console', 'portal'],
  input: Recall,
  output: Recalled,
  errors: ['memory_not_enabled', 'mind_not_found', 'memory_unavailable'],
  async handle(ctx, { partnerId }, { customerId: reference, mindId }) {
    const { customer, mind } = await openMemory(ctx.db, partnerId, reference, mindId)
    if (mind) return recall(ctx.db, ctx.memoryEngine, mind)
    const owner = { partnerId, customerId: customer.id }
    // Nothing is asked of the engine within the transaction: what isn't there yet is empty.
    return ctx.transaction(async (tx) => recallEmpty(await lockMind(tx, owner, undefined)))
  }
})

export const askOperation = defineOperation({
  name: 'memory_ask',
  title: 'Ask',
  summary:
    'Answers a question from a customer’s memory, with sources. Costs credits, more at a higher reasoningLevel.',
  scope: 'memory:read',
  channels: ['mcp', 'console', 'portal'],
  // MEMORY_DEADLINE_MS ends the work earlier.
  deadlineMs: LONGEST_ASK_MS,
  input: Ask,
  output: Answered,
  // It spends credits: a client that runs what only reads unasked is not to run this.
  annotations: ADDS,
  errors: PAID_ERRORS,
  async handle(ctx, caller, { customerId: reference, ...asked }) {
    const { partnerId } = caller
    const { customer } = await openMemory(ctx.db, partnerId, reference, asked.mindId)
    await ctx.limitMemory(customer.id, asked.question)
    return ask(ctx, { ...caller, customer }, asked)
  }
})

export const searchOperation = defineOperation({
  name: 'memory_search',
  title: 'Search memories',
  summary:
    'Finds a customer’s memories with their ids, the newest first or the best for a query, by time, author and what they name. Free.',
  scope: 'memory:read',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: { method: 'get', path: '/customers/{customerId}/memories', group: 'Memory' },
  deadlineMs: LONGEST_ASK_MS,
  input: SearchMemories,
  output: FoundMemories,
  errors: ['memory_not_enabled', 'mind_not_found', 'memory_rate_limited', 'memory_unavailable'],
  async handle(ctx, { partnerId }, { customerId: reference, mindId, ...asked }) {
    const { customer, mind } = await openMemory(ctx.db, partnerId, reference, mindId)
    return searchMemories(ctx, { owner: { partnerId, customerId: customer.id }, mind }, asked)
  }
})

export const forgetMemoryOperation = defineOperation({
  name: 'memory_forget',
  title: 'Forget a memory',
  summary: 'Deletes one memory for good, with all that was made of it. Confirm with the user first.',
  scope: 'memory:write',
  channels: ['rest', 'mcp', 'operator'],
  http: { method: 'delete', path: '/customers/{customerId}/memories/{memoryId}', group: 'Memory' },
  input: Forget,
  output: acknowledgement('The memory was forgotten.'),
  annotations: CHANGES,
  errors: ['memory_not_enabled', 'mind_not_found', 'memory_not_found', 'memory_unavailable'],
  async write(tx, ctx, { partnerId, actor }, { customerId, mindId, memoryId }) {
    // The operator deletes what a customer asks for, also once its memory is switched off.
    const { id } =
      actor === OPERATOR
        ? await getCustomer(tx, partnerId, customerId)
        : (await openMemory(tx, partnerId, customerId, undefined)).customer
    const owner = { partnerId, customerId: id }
    await forgetMemory(tx, ctx.memoryEngine, owner, { mindId, memoryId })
    await ctx.audit(tx, { targetType: 'memory', targetId: memoryId })
    return { message: 'The memory was forgotten.' }
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
  async write(tx, ctx, { partnerId }, { customerId, mindId }) {
    const customer = await getCustomer(tx, partnerId, customerId)
    const owner = { partnerId, customerId: customer.id }
    const { memoryCount } = await forgetMind(tx, ctx.memoryEngine, owner, mindId)
    await ctx.audit(tx, { targetType: 'mind', targetId: mindId })
    return { message: `The Mind was forgotten with its ${memoryCount} memories.` }
  }
})

/** A partner with a thousand downloads has one page at a time, and whoever reads as fast as it can lets others in between. */
const pages = createFairQueue({
  atOnce: 2,
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
  input: ExportMind,
  output: MemoryPage,
  errors: ['mind_not_found', 'memory_unavailable'],
  async handle({ db }, { partnerId }, { customerId, mindId, cursor }) {
    const customer = await getCustomer(db, partnerId, customerId)
    const mind = await getMind(db, { partnerId, customerId: customer.id }, mindId)
    return pages.run(partnerId, () => nextTurn().then(() => exportPage(db, mind.key, cursor)))
  }
})

const toRecord = (mind: Mind): z.input<typeof MindRecord> => ({
  ...mind,
  mindId: mind.id,
  isPrimary: mind.isPrimary === 1
})

export const memoryOperations = [
  listMindsOperation,
  createMind,
  rememberOperation,
  rememberManyOperation,
  recallOperation,
  askOperation,
  searchOperation,
  forgetMemoryOperation,
  forgetMindOperation,
  exportMind
]
