import {
  CallPage,
  ExportCalls,
  ExportedCalls,
  GetUsage,
  ListCalls,
  Unattributed,
  UsageResult
} from '../../schemas/usage.ts'
import { OPERATOR } from '../caller.ts'
import { getCustomer } from '../customers/store.ts'
import { defineOperation } from '../operation.ts'
import { countCalls, exportPage, pageOfCalls } from './calls.ts'
import { daysAsked, sightOf } from './span.ts'
import { unattributedByAgent, usageOn } from './summary.ts'

export const getUsage = defineOperation({
  name: 'usage_summary',
  title: 'Get usage',
  summary:
    'Returns calls, minutes, cost and charge by day, of one customer or of all, and what is owed. Costs are US dollars.',
  scope: 'billing:read',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: { method: 'get', path: '/usage', group: 'Usage' },
  input: GetUsage,
  output: UsageResult,
  async handle({ db }, caller, { customerId, ...asked }) {
    const sight = await sightOf(db, caller)
    const days = daysAsked(asked, sight.timeZone)
    const customer = customerId && (await getCustomer(db, caller.partnerId, customerId))
    return { data: await usageOn(db, sight, days, customer ? customer.id : undefined) }
  }
})

export const listCalls = defineOperation({
  name: 'usage_list',
  title: 'List calls',
  summary: 'Returns calls with cost and charge, newest first.',
  scope: 'billing:read',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: { method: 'get', path: '/usage/calls', group: 'Usage' },
  input: ListCalls,
  output: CallPage,
  handle: async ({ db }, caller, asked) => pageOfCalls(db, await sightOf(db, caller), asked)
})

export const exportCalls = defineOperation({
  name: 'usage_export',
  title: 'Export calls',
  summary: 'Returns every call in the order in which they ended, one JSON object a line.',
  scope: 'billing:read',
  channels: ['rest', 'operator'],
  http: { method: 'get', path: '/usage/export', group: 'Usage' },
  lines: 'calls',
  input: ExportCalls,
  output: ExportedCalls,
  async handle({ db }, caller, asked) {
    const sight = await sightOf(db, caller)
    const isCounted = caller.actor === OPERATOR && asked.cursor === undefined
    const total = isCounted ? await countCalls(db, sight, asked) : undefined
    return { ...(await exportPage(db, sight, asked)), total }
  }
})

/** Returns how many calls no customer has, by agent, and since when. */
export const listUnattributed = defineOperation({
  name: 'usage_unattributed',
  scope: 'billing:read',
  output: Unattributed,
  handle: ({ db }, { partnerId }) => unattributedByAgent(db, partnerId)
})

export const usageOperations = [getUsage, listCalls, exportCalls, listUnattributed]
