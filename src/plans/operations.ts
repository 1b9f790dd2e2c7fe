// What the channels offer on plans. A plan doesn't change: customers got its features when they were onboarded.
import { CreatePlan, CreatePlanResult, ListPlans, PlanPage } from '../../schemas/plan.ts'
import { ADDS, defineOperation, READS } from '../operation.ts'
import { insertPlan, pageOfPlans } from './store.ts'

export const listPlansOperation = defineOperation({
  name: 'plan_list',
  title: 'List your plans',
  summary: 'Returns subscription and credit plans with their features, newest first, a page at a time.',
  scope: 'plans:read',
  channels: ['rest', 'console'],
  http: { method: 'get', path: '/plans', group: 'Plans' },
  input: ListPlans,
  output: PlanPage,
  annotations: READS,
  async handle({ db }, { partnerId }, query) {
    return pageOfPlans(db, partnerId, query)
  }
})

export const createPlan = defineOperation({
  name: 'plan_create',
  title: 'Create a plan',
  summary:
    'Creates a plan; its features overwrite the defaults of customers that are onboarded with it from now on.',
  scope: 'customers:write',
  channels: ['console', 'operator'],
  input: CreatePlan,
  output: CreatePlanResult,
  annotations: ADDS,
  async handle(ctx, { partnerId }, plan) {
    return ctx.transaction(async (tx) => {
      const created = await insertPlan(tx, partnerId, plan)
      const fields = Object.keys(plan.features)
      await ctx.audit(tx, { targetType: 'plan', targetId: created.planId, fields })
      return { message: 'The plan was created.', data: created }
    })
  }
})

export const planOperations = [listPlansOperation, createPlan]
