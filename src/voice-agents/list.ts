// A partner's voice agents with whom they are mapped to, as lists show them.
import type { z } from 'zod'
import type { ListVoiceAgents, VoiceAgent, VoiceAgentPage } from '../../schemas/voice-agent.ts'
import { getCustomer } from '../customers/store.ts'
import type { ReadHandle } from '../database/database.ts'
import { pageOfRows } from '../database/page.ts'

type Filter = z.output<typeof ListVoiceAgents>

/**
 * One page of what the filter matches, newest first.
 *
 * @throws ServiceError `customer_not_found`
 */
export async function pageOfVoiceAgents(
  db: ReadHandle,
  partnerId: string,
  filter: Filter
): Promise<z.input<typeof VoiceAgentPage>> {
  const customer =
    filter.customerId === undefined ? undefined : await getCustomer(db, partnerId, filter.customerId)
  const matching = matchingAgents(db, partnerId, { ...filter, customerId: customer?.id })
  const newest = matching
    .leftJoin('customer', 'customer.id', 'voiceAgent.customerId')
    .select([
      'voiceAgent.agentId',
      'voiceAgent.name',
      'voiceAgent.provider',
      'voiceAgent.profitMultiplier',
      'customer.id as customerId',
      'customer.email',
      'customer.firstName',
      'customer.lastName'
    ])
    .orderBy('voiceAgent.createdAt', 'desc')
    .orderBy('voiceAgent.provider')
    .orderBy('voiceAgent.agentId')
  const { rows, pagination } = await pageOfRows(filter, newest, matching)
  return { data: rows.map(toVoiceAgent), pagination }
}

function matchingAgents(db: ReadHandle, partnerId: string, { provider, isMapped, customerId }: Filter) {
  let query = db.selectFrom('voiceAgent').where('voiceAgent.partnerId', '=', partnerId)
  if (provider !== undefined) query = query.where('voiceAgent.provider', '=', provider)
  if (customerId !== undefined) query = query.where('voiceAgent.customerId', '=', customerId)
  if (isMapped !== undefined) {
    query = query.where('voiceAgent.customerId', isMapped ? 'is not' : 'is', null)
  }
  return query
}

interface Row {
  agentId: string
  name: string
  provider: 'a' | 'b'
  profitMultiplier: number | null
  customerId: string | null
  email: string | null
  firstName: string | null
  lastName: string | null
}

function toVoiceAgent(row: Row): z.input<typeof VoiceAgent> {
  const { agentId, name, provider, customerId, email, firstName, lastName } = row
  const agent = { id: agentId, name, provider }
  if (customerId === null || email === null) return { ...agent, customer: null, profitMultiplier: null }
  const customer = { id: customerId, firstName, lastName, email }
  return { ...agent, customer, profitMultiplier: row.profitMultiplier }
}
