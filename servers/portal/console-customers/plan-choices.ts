import type { Plan } from '../../../schemas/plan.ts'
import { listPlansOperation } from '../../../src/plans/operations.ts'
import { priceInWords } from '../../../src/plans/words.ts'
import { callOperation, type PageContext } from '../page-kit.tsx'

/** More than anybody offers. */
const SHOWN_PLANS = 100

/** The plans of that kind to choose from: those on offer, and what is chosen, whatever became of it. */
export async function planChoices(context: PageContext, kind: Plan['kind'], chosen: readonly string[] = []) {
  const { data: plans } = await callOperation(context, listPlansOperation, { kind, limit: SHOWN_PLANS })
  const offered = plans
    .filter(({ isArchived, planId }) => !isArchived || chosen.includes(planId))
    .map((plan) => ({ value: plan.planId, label: `${plan.name}: ${priceInWords(plan)}` }))
  const unlisted = chosen.filter((id) => !plans.some(({ planId }) => planId === id))
  return [...offered, ...unlisted.map((id) => ({ value: id, label: id }))]
}
