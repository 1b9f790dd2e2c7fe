// What the memory pages read, by the same operations as agents.
import type { Context } from 'hono'
import type { z } from 'zod'
import { type Mind, MindList, Recalled } from '../../../schemas/mind.ts'
import { ServiceError } from '../../../src/errors.ts'
import { listMindsOperation, recallOperation } from '../../../src/memory/operations.ts'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import { perform } from '../perform.ts'

export type MindRecord = z.output<typeof Mind>
export type RecalledMind = z.output<typeof Recalled>

/** The customer's Minds, the primary one first; none before the first use. */
export async function readMinds(service: Service, c: Context<PageEnv>): Promise<MindRecord[]> {
  const { caller, customerId } = c.get('visitor')
  const { minds } = await perform(service, c, listMindsOperation, {
    caller,
    input: { customerId },
    output: MindList
  })
  return minds
}

export function readRecalled(service: Service, c: Context<PageEnv>, mindId: string): Promise<RecalledMind> {
  const { caller, customerId } = c.get('visitor')
  return perform(service, c, recallOperation, { caller, input: { customerId, mindId }, output: Recalled })
}

/**
 * The Mind of that id among the customer's own.
 *
 * @throws ServiceError `mind_not_found` (404)
 */
export function mindOf(minds: readonly MindRecord[], mindId: string): MindRecord {
  const mind = minds.find((one) => one.mindId === mindId)
  if (mind) return mind
  throw new ServiceError('mind_not_found', 'You have no Mind with this id.', { field: 'mindId' })
}
