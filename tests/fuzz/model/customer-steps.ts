// Onboard, create, read, change and list customers (§4A).
import fc from 'fast-check'
import { expect } from 'vitest'
import { at, stringAt } from '../../support/fixture.ts'
import { type Command, commandsOf, type Fields, type Real, type Step } from './command.ts'
import {
  agreedLines,
  answerOf,
  findCustomer,
  isEmailTaken,
  listItem,
  type ModelCustomer,
  matching,
  newRecord,
  type PartnerModel
} from './partner-model.ts'
import { hasCustomers, references } from './references.ts'

/** Few, so that they collide; both partners have the same. */
const EMAILS = [
  'ada@example.com',
  'ADA@example.com',
  ...'bcdefgh'.split('').map((name) => `${name}@example.com`)
]
const NAMES = ['Ada', 'ada lovelace', 'Łukasz', 'مريم', '100%', 'a_b\\c', '0']
const VOLUMES = ['100-500', '1000+']
const TIMELINES = ['1 month', 'asap']

const emails = fc.constantFrom(...EMAILS)
const names = fc.constantFrom(...NAMES)
const plans = fc.constantFrom('none', 'none', 'subscription', 'credit', 'rival')

const basics = {
  firstName: names,
  lastName: names,
  businessPhone: fc.constantFrom('+49 30 1234', '555'),
  companyName: names
}
const labels = {
  monthlyCallVolume: fc.constantFrom(...VOLUMES),
  callComplexity: fc.constantFrom('low', 'high'),
  deploymentTimeline: fc.constantFrom(...TIMELINES)
}

const onboard: fc.Arbitrary<Step> = fc
  .record({
    basic: fc.record(
      {
        email: emails,
        firstName: basics.firstName,
        lastName: basics.lastName,
        businessPhone: basics.businessPhone
      },
      { requiredKeys: ['email'] }
    ),
    business: fc.record(
      { companyName: names, monthlyCallVolume: labels.monthlyCallVolume },
      { requiredKeys: [] }
    ),
    requirements: fc.record(
      {
        primaryUseCase: fc.constantFrom('Reception', 'null'),
        callComplexity: labels.callComplexity,
        languages: fc.constantFrom([], ['en'], ['en', 'de', 'fr'])
      },
      { requiredKeys: [] }
    ),
    integration: fc.record({ crmSystem: fc.constantFrom('none', 'HubSpot') }, { requiredKeys: [] }),
    deployment: fc.record(
      { deploymentTimeline: labels.deploymentTimeline, wantsDemo: fc.boolean() },
      { requiredKeys: [] }
    ),
    isQuickOnboarding: fc.boolean(),
    allowPortalAccess: fc.boolean(),
    plan: plans
  })
  .map(({ plan, ...body }) => ({
    operation: 'customer_onboard',
    inputFor: (_, real) => ({ ...body, ...planIdOf(plan, real) }),
    refusalOf(model, { planId }, real) {
      if (planId !== undefined && planId !== real.plans.subscription) return 'plan_not_found'
      return isEmailTaken(model, body.basic.email) ? 'email_exists' : undefined
    },
    async accept(model, _, output, real) {
      const intake = {
        ...body.basic,
        ...body.business,
        ...body.requirements,
        ...body.integration,
        ...body.deployment
      }
      const hasPlan = plan === 'subscription'
      const { companyName, monthlyCallVolume } = body.business
      const priced = body.isQuickOnboarding ? (monthlyCallVolume ? { monthlyCallVolume } : {}) : intake
      const answers = [companyName, monthlyCallVolume, intake.primaryUseCase, intake.deploymentTimeline]
      const record: Fields = {
        ...newRecord(intake, priced, hasPlan),
        ...(hasPlan ? { planId: real.plans.subscription } : {}),
        ...(body.allowPortalAccess ? { credentialStatus: 'active', customerPortalEnabled: true } : {}),
        isOnboardingCompleted: !body.isQuickOnboarding && answers.every(Boolean)
      }
      expect(output.data).toMatchObject({
        email: intake.email,
        estimatedPrice: record.estimatedPrice,
        orderStatus: 'new',
        isOnboardingCompleted: record.isOnboardingCompleted,
        currency: record.currency
      })
      // The short code isn't in the answer.
      const input = { customerId: stringAt(output, 'data', 'id') }
      const got = await real.call({ channel: 'REST', operation: 'customer_get', input })
      addCustomer(model, record, got.output, hasPlan)
      if (body.allowPortalAccess) model.mails.push(`portal_invite ${intake.email}`)
    }
  }))

function planIdOf(plan: string, { plans: own, rival }: Real): Fields {
  if (plan === 'none') return {}
  if (plan === 'rival') return { planId: rival.plans.subscription }
  return { planId: plan === 'credit' ? own.credit : own.subscription }
}

const create: fc.Arbitrary<Step> = fc
  .record({ email: emails, ...basics }, { requiredKeys: ['email'] })
  .map((body) => ({
    operation: 'customer_create',
    inputFor: () => body,
    refusalOf: (model) => (isEmailTaken(model, body.email) ? 'email_exists' : undefined),
    accept: (model, _, output) => addCustomer(model, newRecord(body, {}, false), output, false)
  }))

function addCustomer(model: PartnerModel, record: Fields, output: Fields, hasPlan: boolean): void {
  const { updatedAt, ...answered } = Object(output.data)
  const { id, customerId, createdAt } = answered
  const known = { ...record, email: String(record.email), id, customerId, createdAt }
  expect(answered).toEqual(answerOf(known))
  expect(findCustomer(model, id) ?? findCustomer(model, customerId), 'a new id').toBeUndefined()
  model.customers.push({ record: known, updatedAt, team: [], hasPlan })
}

const get: fc.Arbitrary<Step> = references.map((reference) => ({
  operation: 'customer_get',
  isPossible: hasCustomers,
  inputFor: (model, real) => ({ customerId: reference(model, real) }),
  refusalOf: refuseStranger,
  accept: (model, { customerId }, output) => expectRecord(findCustomer(model, customerId), output)
}))

/** Compares the record, and sees that its time of change never goes back. */
export function expectRecord(customer: ModelCustomer | undefined, output: Fields): void {
  if (!customer) throw new Error('no such customer in the model')
  const { updatedAt, ...answered } = Object(output.data)
  expect(answered).toEqual(answerOf(customer.record))
  expect(updatedAt >= customer.updatedAt, 'updatedAt moves on').toBe(true)
  customer.updatedAt = updatedAt
}

export const refuseStranger: Step['refusalOf'] = (model, { customerId }) =>
  findCustomer(model, customerId) ? undefined : 'customer_not_found'

const changes = fc.record(
  {
    email: emails,
    firstName: fc.option(names),
    companyName: fc.option(names),
    businessPhone: fc.option(basics.businessPhone),
    monthlyCallVolume: fc.option(labels.monthlyCallVolume),
    callComplexity: fc.option(labels.callComplexity),
    deploymentTimeline: fc.option(labels.deploymentTimeline),
    languages: fc.option(fc.constantFrom([], ['ar', 'en'])),
    wantsDemo: fc.option(fc.boolean()),
    maxTeamMembers: fc.nat({ max: 2 }),
    enableTeamMembers: fc.boolean(),
    enableAiMemory: fc.boolean(),
    customerPortalEnabled: fc.boolean(),
    allowedApps: fc.constantFrom([], ['cli-agent']),
    aiCreditPricePerMinute: fc.option(fc.constantFrom(0, 0.1, 12.345678)),
    agreedPrice: fc.option(fc.constantFrom(0, 99.99)),
    billingType: fc.constantFrom('prepaid', 'postpaid'),
    deploymentStatus: fc.constantFrom('building', 'agent_ready', 'completed'),
    deploymentNotes: fc.option(fc.constantFrom('-', 'Line one\nLine two')),
    deploymentCompletedAt: fc.option(fc.constant('2026-02-03T04:05:06+02:00')),
    creditPlanIds: fc.constantFrom('none', 'own', 'rival')
  },
  { requiredKeys: [] }
)

const update: fc.Arbitrary<Step> = fc
  .tuple(references, changes)
  .map(([reference, { creditPlanIds, ...fields }]) => ({
    operation: 'customer_update',
    isPossible: hasCustomers,
    inputFor: (model, real) => ({
      customerId: reference(model, real),
      ...fields,
      ...(creditPlanIds ? { creditPlanIds: creditPlansOf(creditPlanIds, real) } : {})
    }),
    refusalOf(model, { customerId }) {
      const customer = findCustomer(model, customerId)
      if (!customer) return 'customer_not_found'
      if (creditPlanIds === 'rival') return 'plan_not_found'
      return fields.email && isEmailTaken(model, fields.email, customer) ? 'email_exists' : undefined
    },
    accept(model, { customerId, ...sent }, output) {
      const customer = findCustomer(model, customerId)
      if (!customer) return
      const isDeployed = ['agent_ready', 'completed'].includes(fields.deploymentStatus ?? '')
      Object.assign(customer.record, sent, isDeployed ? { orderStatus: 'active' } : {})
      customer.record.priceLines = agreedLines(customer.record)
      if (fields.deploymentCompletedAt) customer.record.deploymentCompletedAt = '2026-02-03T02:05:06.000Z'
      expectRecord(customer, output)
    }
  }))

function creditPlansOf(choice: string, { plans: own, rival }: Real): string[] {
  if (choice === 'none') return []
  return [choice === 'own' ? own.credit : rival.plans.credit]
}

const list: fc.Arbitrary<Step> = fc
  .record(
    {
      ...labels,
      search: fc.constantFrom('ADA', 'ada l', 'łu', '%', '_', '\\', 'example.com', '55', 'b@', 'مر'),
      page: fc.integer({ min: 1, max: 3 }),
      limit: fc.constantFrom(1, 2, 3, 100)
    },
    { requiredKeys: [] }
  )
  .map((query) => ({
    operation: 'customer_list',
    inputFor: () => query,
    refusalOf: () => undefined,
    accept(model, _, output) {
      const { page = 1, limit = 20, ...filter } = query
      expectPage(model, filter, { page, limit }, output)
    }
  }))

/** Compares one page of the list, and its pagination. */
export function expectPage(
  model: PartnerModel,
  filter: Fields,
  { page, limit }: { page: number; limit: number },
  output: Fields
): void {
  const found = matching(model, filter)
  const totalPages = Math.ceil(found.length / limit)
  const expected = found.slice((page - 1) * limit, page * limit)
  const items = [at(output, 'data')].flat().map((item) => {
    const { updatedAt: _, ...rest } = Object(item)
    return rest
  })
  expect(items).toEqual(expected.map((customer) => listItem(model, customer)))
  expect(output.pagination).toEqual({
    currentPage: page,
    totalPages,
    totalCount: found.length,
    limit,
    hasNextPage: page < totalPages,
    hasPrevPage: page > 1
  })
}

export const customerCommands: fc.Arbitrary<Command>[] = [
  commandsOf(onboard, true),
  commandsOf(create, true),
  commandsOf(get),
  commandsOf(update),
  commandsOf(update),
  commandsOf(list)
]
