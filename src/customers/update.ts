import type { WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { listPlans } from '../plans/store.ts'
import { moveOwner } from '../portal-access/identities.ts'
import { changePlan } from '../subscriptions/change.ts'
import { toColumns } from './columns.ts'
import { emailExists } from './new-customer.ts'
import { isEmailTaken, lockCustomer, searchTextOf, updateCustomer } from './store.ts'
import type { CustomerChanges } from './table.ts'

/** Reaching one of these makes the order active. */
const DEPLOYED = new Set(['agent_ready', 'completed'])

/**
 * Changes the sent fields of a customer and what follows from them: the search text, the order's status, who signs in
 * as its owner, and its subscription.
 *
 * @throws ServiceError `customer_not_found`, `email_exists`, `plan_not_found`
 */
export async function applyChanges(
  tx: WriteHandle,
  partnerId: string,
  reference: string,
  { planId, ...changes }: CustomerChanges
) {
  const before = await lockCustomer(tx, partnerId, reference)
  if (planId === undefined && Object.keys(changes).length === 0) return before
  if (changes.creditPlanIds) await checkCreditPlans(tx, partnerId, changes.creditPlanIds)
  if (changes.email !== undefined && (await isEmailTaken(tx, partnerId, changes.email, before.id))) {
    throw emailExists('email')
  }
  const columns = toColumns(changes)
  const after = await updateCustomer(tx, partnerId, before.id, {
    ...columns,
    searchText: searchTextOf({ ...before, ...columns }),
    orderStatus: DEPLOYED.has(changes.deploymentStatus ?? '') ? 'active' : undefined
  })
  if (after.emailKey !== before.emailKey) await moveOwner(tx, before, after)
  return planId === undefined ? after : changePlan(tx, after, planId)
}

async function checkCreditPlans(tx: WriteHandle, partnerId: string, planIds: readonly string[]) {
  const plans = await listPlans(tx, partnerId, planIds)
  const known = new Set(plans.flatMap(({ kind, planId }) => (kind === 'credit' ? planId : [])))
  if (planIds.every((planId) => known.has(planId))) return
  const message = 'creditPlanIds names a plan that is not one of your credit plans.'
  throw new ServiceError('plan_not_found', message, { field: 'creditPlanIds' })
}
