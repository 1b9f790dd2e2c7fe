import type { Provider } from '../../schemas/voice-agent.ts'
import { now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import type { VoiceAgentTable } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'

/**
 * The partner's agent at that provider; others can't change it until the transaction ends.
 *
 * @throws ServiceError `agent_not_found` (§7: 404)
 */
export async function lockVoiceAgent(
  tx: WriteHandle,
  partnerId: string,
  provider: Provider,
  agentId: string
): Promise<VoiceAgentTable> {
  const agent = await tx
    .updateTable('voiceAgent')
    // Writing a column to itself is the row lock that both databases know.
    .set((eb) => ({ agentId: eb.ref('agentId') }))
    .where('partnerId', '=', partnerId)
    .where('provider', '=', provider)
    .where('agentId', '=', agentId)
    .returningAll()
    .executeTakeFirst()
  if (agent) return agent
  throw new ServiceError(
    'agent_not_found',
    'There is no voice agent with this id. Import it or check the provider.',
    {
      field: 'agentId'
    }
  )
}

/** Maps the agent to a customer, or to none. */
export async function setMapping(
  tx: WriteHandle,
  { partnerId, provider, agentId }: VoiceAgentTable,
  mapping: { customerId: string; profitMultiplier: number } | { customerId: null; profitMultiplier: null }
): Promise<void> {
  await tx
    .updateTable('voiceAgent')
    .set({ ...mapping, updatedAt: now() })
    .where('partnerId', '=', partnerId)
    .where('provider', '=', provider)
    .where('agentId', '=', agentId)
    .execute()
}
