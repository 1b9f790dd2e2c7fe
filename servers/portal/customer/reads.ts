// What the portal's pages read, by the same operations as agents.

import { z } from 'zod'
import { Customer } from '../../../schemas/customer.ts'
import type { Mind, Recalled } from '../../../schemas/mind.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { listMindsOperation, recallOperation } from '../../../src/memory/operations.ts'
import { callOperation, type PageContext } from '../page-kit.tsx'

/** The customer's Minds, the primary one first; none before the first use. */
export const readMinds = async (context: PageContext): Promise<Mind[]> =>
  (await callOperation(context, listMindsOperation)).minds

export const readRecalled = (context: PageContext, mindId: string): Promise<Recalled> =>
  callOperation(context, recallOperation, { mindId })

/**
 * The Mind of that id among the customer's own.
 *
 * @throws ServiceError `mind_not_found` (404)
 */
export function mindOf(minds: readonly Mind[], mindId: string): Mind {
  const mind = minds.find((one) => one.mindId === mindId)
  if (mind) return mind
  throw new ServiceError('mind_not_found', 'You have no Mind with this id.', { field: 'mindId' })
}

/** Prices, notes and stages of the partner's are not the customer's to see. */
const OwnCustomer = z.object({
  data: Customer.pick({ email: true, maxTeamMembers: true, aiCreditsEnabled: true, lowCreditThreshold: true })
})
export type OwnCustomer = z.output<typeof OwnCustomer>['data']

/** @throws ServiceError `missing_scope` for a member */
export const readOwnCustomer = async (context: PageContext): Promise<OwnCustomer> =>
  (await callOperation(context, getCustomerOperation)).data
