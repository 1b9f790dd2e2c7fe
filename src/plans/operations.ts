// What the channels offer on plans. Customers keep the terms that they were given: a change is for later ones.
import { ChangedPlan, CreatePlan, FindPlans, ListPlans, PlanPage, UpdatePlan } from '../../schemas/plan.ts'
import { rowsWhere } from '../database/known.ts'
import { countOf, pageOfFew } from '../database/page.ts'
import { ServiceError } from '../errors.ts'
import { ADDS, CHANGES, defineOperation } from '../operation.ts'
import { lockPartnerUsers } from '../partners/users.ts'
import { insertPlan, listPlans, pageOfPlans, updatePlan } from './store.ts'

export const listPlansOperation = defineOperation({
  name: 'plan_list',
  title: 'List your plans',
  summary: 'Returns subscription and credit plans with their features, newest first.',
  scope: 'plans:read',
  channels: ['rest', 'mcp', 'console'],
  http: { method: 'get', path: '/plans', group: 'Plans' },
  input: ListPlans,
  output: PlanPage,
  async handle({ db }, { partnerId }, query) {
    return pageOfPlans(db, partnerId, query)
  }
})

/** As plan_list, by what people look for. */
export const findPlans = defineOperation({
  name: 'plan_find',
  scope: 'plans:read',
  input: FindPlans,
  output: PlanPage,
  async handle({ db }, { partnerId }, looking) {
    return pageOfFew(await listPlans(db, partnerId), looking)
  }
})

/** Whoever looks for one reads all of them. */
const MAX_PLANS = 500

/** Creates a plan: what a customer that is given it gets and pays, or a pack of credits that customers may buy. */
export const createPlan = defineOperation({
  name: 'plan_create',
  title: 'Create a plan',
  scope: 'settings:write',
  channels: ['console', 'operator'],
  input: CreatePlan,
  output: ChangedPlan,
  annotations: ADDS,
  async write(tx, ctx, { partnerId }, plan) {
    await lockPartnerUsers(tx, partnerId)
    if ((await countOf(rowsWhere(tx, 'plan', { partnerId }))) >= MAX_PLANS) {
      const message = `You have ${MAX_PLANS} plans, archived ones too. Change one that is there.`
      throw new ServiceError('invalid_input', message)
    }
    const created = await insertPlan(tx, partnerId, plan)
    const fields = Object.keys(plan.features)
    await ctx.audit(tx, { targetType: 'plan', targetId: created.planId, fields })
    return { message: 'The plan was created.', data: created }
  }
})

/**
 * Changes only the fields sent, for customers that are given the plan from now on. Archived, it can’t be given or
 * bought.
 */
export const updatePlanOperation = defineOperation({
  name: 'plan_update',
  title: 'Change a plan',
  scope: 'settings:write',
  input: UpdatePlan,
  output: ChangedPlan,
  annotations: CHANGES,
  errors: ['plan_not_found'],
  async write(tx, ctx, { partnerId }, input) {
    const data = await updatePlan(tx, partnerId, input)
    const { planId: targetId, ...changes } = input
    await ctx.audit(tx, { targetType: 'plan', targetId, fields: Object.keys(changes) })
    return { message: 'The plan was changed.', data }
  }
})

export const planOperations = [listPlansOperation, findPlans, createPlan, updatePlanOperation]
