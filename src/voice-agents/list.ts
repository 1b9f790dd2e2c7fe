import type { z } from 'zod'
import type { ListVoiceAgents } from '../../schemas/voice-agent.ts'
import { getCustomer } from '../customers/store.ts'
import type { ReadHandle } from '../database/database.ts'
import { pageOfRows } from '../database/page.ts'
import { fromMicros } from '../money.ts'

/** One page of what the filter matches, newest first. @throws ServiceError `customer_not_found` */
export async function pageOfVoiceAgents(
  db: ReadHandle,
  partnerId: string,
  { provider, isMapped, customerId: reference, ...asked }: z.output<typeof ListVoiceAgents>
) {
  let matching = db.selectFrom('voiceAgent').where('voiceAgent.partnerId', '=', partnerId)
  if (provider !== undefined) matching = matching.where('voiceAgent.provider', '=', provider)
  if (reference !== undefined) {
    const { id } = await getCustomer(db, partnerId, reference)
    matching = matching.where('voiceAgent.customerId', '=', id)
  }
  if (isMapped !== undefined)
    matching = matching.where('voiceAgent.customerId', isMapped ? 'is not' : 'is', null)
  const newest = matching
    .leftJoin('customer', 'customer.id', 'voiceAgent.customerId')
    .leftJoin('voiceAgentPeriod as period', (join) =>
      join
        .onRef('period.partnerId', '=', 'voiceAgent.partnerId')
        .onRef('period.provider', '=', 'voiceAgent.provider')
        .onRef('period.agentId', '=', 'voiceAgent.agentId')
        .on('period.endsAt', 'is', null)
    )
    .select(['voiceAgent.agentId as id', 'voiceAgent.name', 'voiceAgent.provider'])
    .select(['voiceAgent.multiplierMicros', 'customer.id as customerId', 'period.startsAt as since'])
    .select(['customer.email', 'customer.firstName', 'customer.lastName'])
    .orderBy('voiceAgent.createdAt', 'desc')
    .orderBy('voiceAgent.provider')
    .orderBy('voiceAgent.agentId')
  const { rows, pagination } = await pageOfRows(asked, newest, matching)
  const data = rows.map(({ customerId, email, firstName, lastName, multiplierMicros, ...agent }) => {
    if (customerId === null || email === null || multiplierMicros === null)
      return { ...agent, customer: null, profitMultiplier: null, since: null }
    return {
      ...agent,
      customer: { id: customerId, firstName, lastName, email },
      profitMultiplier: fromMicros(multiplierMicros)
    }
  })
  return { data, pagination }
}
