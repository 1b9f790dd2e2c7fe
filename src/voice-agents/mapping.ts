// Which customer a voice agent's calls are billed to, and by which multiplier (§4A).
import type { z } from 'zod'
import type { MapVoiceAgent } from '../../schemas/voice-agent.ts'
import { lockCustomer, updateCustomer } from '../customers/store.ts'
import type { WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { toMicros } from '../money.ts'
import { type AgentKey, lockVoiceAgent, setMapping } from './store.ts'

/**
 * Maps an agent to a customer; again to the same one changes the multiplier. The customer's order becomes active.
 * @throws ServiceError `agent_not_found`, `customer_not_found` (§7: 404), `agent_mapped_elsewhere`
 */
export async function mapVoiceAgent(
  tx: WriteHandle,
  agentKey: AgentKey,
  { customerId, profitMultiplier }: z.output<typeof MapVoiceAgent>
) {
  const { partnerId } = agentKey
  const agent = await lockVoiceAgent(tx, agentKey)
  const customer = await lockCustomer(tx, partnerId, customerId)
  if (agent.customerId !== null && agent.customerId !== customer.id)
    throw elsewhere(`This agent is mapped to another customer (${agent.customerId}). Unmap it there first.`)
  await setMapping(tx, agent, { customerId: customer.id, multiplierMicros: toMicros(profitMultiplier) })
  if (customer.orderStatus === 'new') {
    await updateCustomer(tx, partnerId, customer.id, { orderStatus: 'active' })
  }
  const message = agent.customerId === null ? 'The agent is mapped.' : 'The agent’s multiplier is updated.'
  const { id, firstName, lastName, email } = customer
  const mapped = { customer: { id, firstName, lastName, email }, profitMultiplier }
  return { agent: { id: agent.agentId, name: agent.name, ...mapped }, message }
}

/**
 * Removes an agent's mapping; one that has none stays as it is.
 * @throws ServiceError `agent_not_found`, `customer_not_found` (§7: 404), `agent_mapped_elsewhere`
 */
export async function unmapVoiceAgent(tx: WriteHandle, agentKey: AgentKey, reference: string | undefined) {
  const agent = await lockVoiceAgent(tx, agentKey)
  if (reference !== undefined && agent.customerId !== null) {
    const customer = await lockCustomer(tx, agent.partnerId, reference)
    if (customer.id !== agent.customerId)
      throw elsewhere('This agent is mapped to another customer than customerId says.')
  }
  if (agent.customerId !== null) await setMapping(tx, agent, { customerId: null, multiplierMicros: null })
  const message =
    agent.customerId === null ? 'The agent was not mapped to any customer.' : 'The agent is unmapped.'
  return { agent: { id: agent.agentId, name: agent.name, customer: null, profitMultiplier: null }, message }
}

const elsewhere = (message: string): ServiceError =>
  new ServiceError('agent_mapped_elsewhere', message, { field: 'customerId' })
