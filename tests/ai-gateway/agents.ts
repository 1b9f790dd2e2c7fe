// An agent on a customer's server, with the official client and a key that was minted for it.
import OpenAI from 'openai'
import type { AiBudgets } from '../../src/ai-gateway/variables.ts'
import { updatePartner } from '../../src/partners/store.ts'
import type { Service } from '../../src/service.ts'
import { makePartner, run, stringAt, unique, uniqueEmail } from '../support/fixture.ts'
import { makeInstance } from '../support/instances.ts'

/** The models of every partner here, the primary one first. */
export const MODELS = ['acme/large', 'small'] as const

export const UNLIMITED: AiBudgets = {
  AI_KEY_TOKENS_PER_DAY: 0,
  AI_KEY_TOKENS_PER_MONTH: 0,
  AI_CUSTOMER_TOKENS_PER_DAY: 0,
  AI_CUSTOMER_TOKENS_PER_MONTH: 0,
  AI_PARTNER_TOKENS_PER_DAY: 0,
  AI_PARTNER_TOKENS_PER_MONTH: 0
}

/** The environment of a gateway without budgets, for what has many calls or says nothing of what they used. */
export const WITHOUT_BUDGETS = Object.fromEntries(Object.keys(UNLIMITED).map((name) => [name, '0']))

export interface Agent {
  partnerId: string
  customerId: string
  instanceId: string
  alias: string
  key: string
  client: OpenAI
}

/** A partner with two models, a customer's instance, and a key for it; or one more for whom there is already. */
export async function makeAgent(
  service: Service,
  models: readonly string[] = MODELS,
  given: { partnerId?: string; customerId?: string; instanceId?: string } = {}
): Promise<Agent> {
  const partnerId = given.partnerId ?? (await makePartner(service)).partnerId
  await service.database.transaction((tx) => updatePartner(tx, partnerId, { models: [...MODELS] }))
  const customerId = given.customerId ?? (await makeCustomer(service, partnerId))
  const instanceId = given.instanceId ?? (await makeInstance(service, partnerId, customerId)).id
  const alias = unique('agent-')
  const key = await service.aiKeys.mint({ partnerId, instanceId, alias, models })
  return { partnerId, customerId, instanceId, alias, key, client: clientOf(service, key) }
}

async function makeCustomer(service: Service, partnerId: string): Promise<string> {
  const created = await run(service, partnerId, 'customer_create', { email: uniqueEmail() })
  return stringAt(created, 'data', 'id')
}

/** The client as an agent has it; it doesn't try again by itself, so that one call is one request. */
export const clientOf = (service: Service, apiKey: string): OpenAI =>
  new OpenAI({ baseURL: service.aiKeys.baseUrl(), apiKey, maxRetries: 0 })

export const say = (content: string) => [{ role: 'user' as const, content }]

/** The usage of the instance so far, oldest first; the rows are written after the answers. */
export const usageOf = (service: Service, { instanceId }: Agent) =>
  service.database.read
    .selectFrom('aiUsage')
    .where('instanceId', '=', instanceId)
    .selectAll()
    .orderBy('createdAt')
    .execute()
