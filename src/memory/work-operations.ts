// The work behind a Mind: how far it is, what it cost, and another attempt.
import { MindPath } from '../../schemas/mind.ts'
import { MIND_WORKS, MindWork, RetriedMindWork } from '../../schemas/mind-work.ts'
import { getCustomer } from '../customers/store.ts'
import { usageOf } from '../llm/usage.ts'
import { fromMicros } from '../money.ts'
import { defineOperation, SETS } from '../operation.ts'
import { jobStates, requeueFailures } from './jobs/store.ts'
import { getMind, lockMind } from './minds.ts'

/** Returns how far facts, vectors and copies of a Mind are, what failed, and what models took for it. */
export const getMindWork = defineOperation({
  name: 'memory_work_get',
  scope: 'memory:read',
  input: MindPath,
  output: MindWork,
  errors: ['mind_not_found', 'memory_unavailable'],
  async handle({ db, memoryEngine }, { partnerId }, { customerId, mindId }) {
    const customer = await getCustomer(db, partnerId, customerId)
    const mind = await getMind(db, { partnerId, customerId: customer.id }, mindId)
    const [states, usages] = await Promise.all([jobStates(db, mind.key), usageOf(db, mind.key)])
    const work = MIND_WORKS.flatMap((kind) => {
      const state = states.find((one) => one.kind === kind)
      const isOn = memoryEngine.works.includes(kind)
      return isOn || state ? [{ ...(state ?? UNTOUCHED), kind, isOn }] : []
    })
    return {
      mindId,
      work,
      usage: usages.map(({ costMicros, ...usage }) => ({ ...usage, cost: fromMicros(costMicros) }))
    }
  }
})

/** Tries once more what was given up on in a Mind, and what waits for its next attempt. */
export const retryMindWork = defineOperation({
  name: 'memory_work_retry',
  title: 'Retry the work behind a memory',
  scope: 'memory:write',
  input: MindPath,
  output: RetriedMindWork,
  annotations: SETS,
  errors: ['mind_not_found', 'memory_unavailable'],
  async write(tx, ctx, { partnerId }, { customerId: reference, mindId }) {
    const { id: customerId } = await getCustomer(tx, partnerId, reference)
    const mind = await lockMind(tx, { partnerId, customerId }, mindId)
    const requeued = await requeueFailures(tx, mind.key)
    await ctx.audit(tx, { targetType: 'mind', targetId: mindId })
    return { message: 'It is tried again now.', requeued }
  }
})

const UNTOUCHED = {
  lastDoneAt: null,
  waiting: 0,
  waitingSince: null,
  nextAttemptAt: null,
  failures: 0,
  lastError: null,
  putAside: 0
}

export const mindWorkOperations = [getMindWork, retryMindWork]
