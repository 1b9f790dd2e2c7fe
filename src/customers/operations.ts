import {
  CreateCustomer,
  CreateCustomerResult,
  CustomerLabels,
  CustomerPage,
  CustomerPath,
  CustomerResult,
  CustomerSlice,
  EraseCustomer,
  ExportCustomers,
  FindCustomers,
  ListCustomers,
  OnboardCustomer,
  OnboardCustomerResult,
  UpdateCustomer
} from '../../schemas/customer.ts'
import { acknowledgement, paginate } from '../../schemas/envelope.ts'
import { EstimatePrice, PriceEstimate } from '../../schemas/price-estimate.ts'
import { CustomerId } from '../../schemas/primitives.ts'
import type { Caller } from '../caller.ts'
import { isUniqueViolation } from '../database/faults.ts'
import { listCustomerInstances } from '../instances/store.ts'
import { fromMicros } from '../money.ts'
import { ADDS, CHANGES, defineOperation, type OperationContext } from '../operation.ts'
import { grantPortalAccess, prepareCredentials } from '../portal-access/access-mails.ts'
import { toCustomer, toListItem } from './columns.ts'
import { eraseCustomer } from './erase.ts'
import { type Filter, labelsInUse, pageOfCustomers, sliceOfCustomers } from './listing.ts'
import { addCustomer, checkNewCustomer, emailExists, pricesOf, toNewCustomer } from './new-customer.ts'
import { estimatePrice, pricedAnswers, unpricedLabels } from './pricing.ts'
import { getBilledCustomer, getCustomer } from './store.ts'
import { applyChanges } from './update.ts'

export const onboardCustomer = defineOperation({
  name: 'customer_onboard',
  title: 'Onboard a customer',
  summary: 'Creates a customer from the full intake, with a plan and a portal invite if asked.',
  scope: 'customers:write',
  channels: ['rest', 'mcp', 'console'],
  http: { method: 'post', path: '/customers/onboard', group: 'Customers' },
  mails: ({ allowPortalAccess }) => allowPortalAccess === true,
  input: OnboardCustomer,
  output: OnboardCustomerResult,
  annotations: { ...ADDS, openWorld: true },
  errors: ['email_exists', 'plan_not_found'],
  async handle(ctx, { partnerId }, input) {
    const intended = toNewCustomer(input)
    if (input.allowPortalAccess) await checkNewCustomer(ctx.db, partnerId, intended)
    const credentials = input.allowPortalAccess ? await prepareCredentials(partnerId) : undefined
    return ctx.transaction(async (tx) => {
      const added = await addCustomer(tx, partnerId, intended)
      const { id } = added
      // First: webhooks tell of things in this order.
      await ctx.audit(tx, { targetType: 'customer', targetId: id })
      if (credentials) await grantPortalAccess(ctx, tx, added, credentials)
      const done = `The customer was onboarded${credentials ? ' and a portal invite is on its way' : ''}.`
      const notes = unpricedLabels(intended.priced, (await pricesOf(tx, partnerId)).model)
      const message = [done, ...notes].join(' ')
      const customer = await getBilledCustomer(tx, partnerId, id)
      return { message, data: { ...toCustomer(customer), priceBreakdown: customer.priceBreakdown } }
    })
  }
})

/** Returns what a customer with these answers would be asked for a month (§2.1), and what there is to answer. */
export const estimatePriceOperation = defineOperation({
  name: 'customer_estimate',
  scope: 'customers:read',
  input: EstimatePrice,
  output: PriceEstimate,
  async handle({ db }, { partnerId }, answers) {
    const { model, currency } = await pricesOf(db, partnerId)
    const { priceMicros, lines: priceLines } = estimatePrice(answers, model)
    const estimatedPrice = fromMicros(priceMicros)
    return { data: { estimatedPrice, priceLines, currency, answers: pricedAnswers(model) } }
  }
})

const createCustomer = defineOperation({
  name: 'customer_create',
  title: 'Create a customer',
  summary: 'Creates a customer record with minimal fields; use customer_onboard for the full intake.',
  scope: 'customers:write',
  channels: ['rest', 'mcp', 'console'],
  http: { method: 'post', path: '/customers', group: 'Customers' },
  input: CreateCustomer,
  output: CreateCustomerResult,
  annotations: ADDS,
  errors: ['email_exists'],
  async write(tx, ctx, { partnerId }, input) {
    const minimal = { intake: input, emailField: 'email', priced: {}, isOnboardingCompleted: false }
    const customer = await addCustomer(tx, partnerId, minimal)
    await ctx.audit(tx, { targetType: 'customer', targetId: customer.id })
    const data = toCustomer(await getBilledCustomer(tx, partnerId, customer.id))
    return { message: 'The customer was created.', data }
  }
})

export const listCustomersOperation = defineOperation({
  name: 'customer_list',
  title: 'List customers',
  summary: 'Finds your customers by text or filters, newest first.',
  scope: 'customers:read',
  channels: ['rest', 'mcp', 'console'],
  http: { method: 'get', path: '/customers', group: 'Customers' },
  input: ListCustomers,
  output: CustomerPage,
  handle: pageFound
})

/** As customer_list, also by portal access, order and trial. */
export const findCustomersOperation = defineOperation({
  name: 'customer_find',
  scope: 'customers:read',
  input: FindCustomers,
  output: CustomerPage,
  handle: pageFound
})

async function pageFound({ db }: OperationContext, { partnerId }: Caller, filter: Filter) {
  const { rows, totalCount } = await pageOfCustomers(db, partnerId, filter)
  return { data: rows.map(toListItem), pagination: paginate(filter.page, filter.limit, totalCount) }
}

/** Every customer that matches, as customer_find finds them: in slices, of which each may have few or none. */
export const exportCustomers = defineOperation({
  name: 'customer_export',
  scope: 'customers:read',
  lines: 'data',
  input: ExportCustomers,
  output: CustomerSlice,
  async handle({ db }, { partnerId }, { cursor, ...filter }) {
    const all = { ...filter, page: 1, limit: 1 }
    const { rows, nextCursor } = await sliceOfCustomers(db, partnerId, all, cursor)
    return { data: rows.map(toListItem), nextCursor }
  }
})

/** Returns the call volumes, complexities and timelines that your customers have, to filter the list by. */
export const listCustomerLabels = defineOperation({
  name: 'customer_labels',
  scope: 'customers:read',
  output: CustomerLabels,
  handle: async ({ db }, { partnerId }) => ({ data: await labelsInUse(db, partnerId) })
})

export const getCustomerOperation = defineOperation({
  name: 'customer_get',
  title: 'Get a customer',
  summary: 'Returns one customer with all its settings.',
  scope: 'customers:read',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: { method: 'get', path: '/customers/{customerId}', group: 'Customers' },
  input: CustomerPath,
  output: CustomerResult,
  handle: async ({ db }, { partnerId }, { customerId }) => ({
    data: toCustomer(await getBilledCustomer(db, partnerId, customerId))
  })
})

export const updateCustomerOperation = defineOperation({
  name: 'customer_update',
  title: 'Update a customer',
  summary: 'Changes only the fields sent.',
  scope: 'customers:write',
  channels: ['rest', 'mcp', 'console'],
  http: {
    method: 'patch',
    path: '/customers/{customerId}',
    group: 'Customers',
    example: { companyName: 'Analytical Engines', deploymentStatus: 'agent_ready' }
  },
  input: UpdateCustomer.extend({ customerId: CustomerId }),
  output: CustomerResult,
  annotations: CHANGES,
  errors: ['email_exists', 'plan_not_found'],
  async handle(ctx, { partnerId }, { customerId, ...changes }) {
    try {
      return await ctx.transaction(async (tx) => {
        const customer = await applyChanges(tx, partnerId, customerId, changes)
        await ctx.audit(tx, { targetType: 'customer', targetId: customer.id, fields: Object.keys(changes) })
        return { data: toCustomer(await getBilledCustomer(tx, partnerId, customer.id)) }
      })
    } catch (error) {
      // Two changes to the same e-mail at once: the second one meets the index, not the check.
      throw isUniqueViolation(error) ? emailExists('email') : error
    }
  }
})

/** An AI gateway that is slow to end a key, for each server of a customer that has several. */
const ERASE_DEADLINE_MS = 120_000

export const eraseCustomerOperation = defineOperation({
  name: 'customer_erase',
  title: 'Erase a customer',
  summary:
    'Deletes a customer for good with everything that is kept about it and ends its agents’ keys; confirm with its short code. Nothing on its servers is changed.',
  scope: 'customers:write',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'delete', path: '/customers/{customerId}', group: 'Customers' },
  input: EraseCustomer,
  output: acknowledgement('The customer was erased. What was kept about it is deleted within moments.'),
  annotations: { ...CHANGES, openWorld: true },
  errors: ['provider_unavailable'],
  deadlineMs: ERASE_DEADLINE_MS,
  async handle(ctx, { partnerId }, input) {
    const { id } = await getCustomer(ctx.db, partnerId, input.customerId)
    const instances = await listCustomerInstances(ctx.db, partnerId, id)
    const erased = await eraseCustomer(ctx, partnerId, input, async (tx) => {
      await ctx.audit(tx, { targetType: 'customer', targetId: id })
      return { message: 'The customer was erased. What was kept about it is deleted within moments.' }
    })
    for (const instance of instances) ctx.ssh.end(instance.id)
    return erased
  }
})

export const customerOperations = [
  onboardCustomer,
  createCustomer,
  listCustomersOperation,
  getCustomerOperation,
  updateCustomerOperation,
  eraseCustomerOperation,
  findCustomersOperation,
  exportCustomers,
  listCustomerLabels,
  estimatePriceOperation
]
