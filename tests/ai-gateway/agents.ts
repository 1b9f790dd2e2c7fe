// An agent on a customer's server, with the official client and a key that was minted for it.
import OpenAI from 'openai'
import { updatePartner } from '../../src/partners/store.ts'
import type { Service } from '../../src/service.ts'
import { makeInstance } from '../support/instances.ts'
import { makePartner, run, stringAt, unique, uniqueEmail } from '../support/world.ts'

/** The models of every partner here, the primary one first. */
export const MODELS = ['acme/large', 'small'] as const

export interface Agent {
  partnerId: string
  instanceId: string
  alias: string
  key: string
  client: OpenAI
}

/** A partner with two models, a customer's instance, and a key for it. */
export async function makeAgent(service: Service, models: readonly string[] = MODELS): Promise<Agent> {
  const { partnerId } = await makePartner(service)
  await service.database.transaction((tx) => updatePartner(tx, partnerId, { models: [...MODELS] }))
  const created = await run(service, partnerId, 'customer_create', { email: uniqueEmail() })
  const { id: instanceId } = await makeInstance(service, partnerId, stringAt(created, 'data', 'id'))
  const alias = unique('agent-')
  const key = await service.aiKeys.mint({ partnerId, instanceId, alias, models })
  return { partnerId, instanceId, alias, key, client: clientOf(service, key) }
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
