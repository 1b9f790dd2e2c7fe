// Which customer a voice agent's calls are billed to, and by which multiplier (§4A).
import type { z } from 'zod'
import type { MapVoiceAgent } from '../../schemas/voice-agent.ts'
import { now } from '../clock.ts'
import { lockCustomer, updateCustomer } from '../customers/store.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { invalidField } from '../invalid-input.ts'
import { toMicros } from '../money.ts'
import { type AgentKey, endOfOthers, lockVoiceAgent, setMapping } from './store.ts'

/**
 * Maps an agent to a customer; again to the same one changes the multiplier. The customer's order becomes active. With
 * `since` that holds for what was: what was nobody's, or this customer's by another multiplier, is billed so.
 * @throws ServiceError `agent_not_found`, `customer_not_found` (§7: 404), `agent_mapped_elsewhere`, and `invalid_input` for
 *   a `since` that is to come
 */
export async function mapVoiceAgent(
  tx: WriteHandle,
  agentKey: AgentKey,
  { customerId, profitMultiplier, since }: z.output<typeof MapVoiceAgent>
) {
  const { partnerId } = agentKey
  const agent = await lockVoiceAgent(tx, agentKey)
  const customer = await lockCustomer(tx, partnerId, customerId)
  if (agent.customerId !== null && agent.customerId !== customer.id)
    throw elsewhere(`This agent is mapped to another customer (${agent.customerId}). Unmap it there first.`)
  const multiplierMicros = toMicros(profitMultiplier)
  // What was said before is not said anew: a retry makes no period of its own.
  if (since !== undefined || agent.multiplierMicros !== multiplierMicros) {
    const startsAt = await startOf(tx, agent, customer.id, since)
    await setMapping(tx, agent, startsAt, { customerId: customer.id, multiplierMicros })
  }
  if (customer.orderStatus === 'new')
    await updateCustomer(tx, partnerId, customer.id, { orderStatus: 'active' })
  const done = agent.customerId === null ? 'The agent is mapped.' : 'The agent’s multiplier is updated.'
  const message = since === undefined ? done : `${done} Its calls since then are priced anew.`
  const { id, firstName, lastName, email } = customer
  const mapped = { customer: { id, firstName, lastName, email }, profitMultiplier }
  return { agent: { id: agent.agentId, name: agent.name, ...mapped }, message }
}

/** Now, or in the past as far as the agent was nobody else's. */
async function startOf(db: ReadHandle, agent: AgentKey, customerId: string, since: string | undefined) {
  const free = await endOfOthers(db, agent, customerId)
  const at = now()
  // Another process's clock may be ahead.
  if (since === undefined) return free !== null && free > at ? free : at
  const startsAt = new Date(since).toISOString()
  if (startsAt > at) throw invalidField('since', 'must be in the past')
  if (free === null || free <= startsAt) return startsAt
  throw elsewhere(`This agent was another customer’s until ${free}. It can be mapped since then.`, 'since')
}

/**
 * Removes an agent's mapping from now on; one that has none stays as it is.
 * @throws ServiceError `agent_not_found`, `customer_not_found` (§7: 404), `agent_mapped_elsewhere`
 */
export async function unmapVoiceAgent(tx: WriteHandle, agentKey: AgentKey, reference: string | undefined) {
  const agent = await lockVoiceAgent(tx, agentKey)
  if (reference !== undefined && agent.customerId !== null) {
    const customer = await lockCustomer(tx, agent.partnerId, reference)
    if (customer.id !== agent.customerId)
      throw elsewhere('This agent is mapped to another customer than customerId says.')
  }
  if (agent.customerId !== null)
    await setMapping(tx, agent, await startOf(tx, agent, agent.customerId, undefined))
  const message =
    agent.customerId === null ? 'The agent was not mapped to any customer.' : 'The agent is unmapped.'
  return { agent: { id: agent.agentId, name: agent.name, customer: null, profitMultiplier: null }, message }
}

const elsewhere = (message: string, field = 'customerId'): ServiceError =>
  new ServiceError('agent_mapped_elsewhere', message, { field })
