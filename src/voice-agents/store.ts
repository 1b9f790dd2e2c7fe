import type { Provider } from '../../schemas/voice-agent.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { known } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'

/**
 * The partner's agent at that provider; others can't change it until the transaction ends.
 * @throws ServiceError `agent_not_found` (§7: 404)
 */
export async function lockVoiceAgent(
  tx: WriteHandle,
  partnerId: string,
  provider: Provider,
  agentId: string
): Promise<Tables['voiceAgent']> {
  const agent = await tx
    .updateTable('voiceAgent')
    // Writing a column to itself is the row lock that both databases know.
    .set((eb) => ({ agentId: eb.ref('agentId') }))
    .where((eb) => eb.and(known({ partnerId, provider, agentId })))
    .returningAll()
    .executeTakeFirst()
  if (agent) return agent
  const text = 'There is no voice agent with this id. Import it or check the provider.'
  throw new ServiceError('agent_not_found', text, { field: 'agentId' })
}

export async function hasVoiceAgent(
  db: ReadHandle,
  partnerId: string,
  provider: Provider,
  agentId: string
): Promise<boolean> {
  const agent = await db
    .selectFrom('voiceAgent')
    .where((eb) => eb.and(known({ partnerId, provider, agentId })))
    .select('agentId')
    .executeTakeFirst()
  return agent !== undefined
}

/** The partner's others stay, and whom those that it has are mapped to. */
export async function upsertVoiceAgents(
  tx: WriteHandle,
  partnerId: string,
  provider: Provider,
  agents: readonly { id: string; name: string }[]
): Promise<void> {
  const at = now()
  const unmapped = { customerId: null, profitMultiplier: null, createdAt: at, updatedAt: at }
  await tx
    .insertInto('voiceAgent')
    .values(agents.map(({ id, name }) => ({ partnerId, provider, agentId: id, name, ...unmapped })))
    .onConflict((conflict) =>
      conflict
        .columns(['partnerId', 'provider', 'agentId'])
        .doUpdateSet((eb) => ({ name: eb.ref('excluded.name'), updatedAt: at }))
    )
    .execute()
}

export async function setMapping(
  tx: WriteHandle,
  { partnerId, provider, agentId }: Tables['voiceAgent'],
  mapping: { customerId: string; profitMultiplier: number } | { customerId: null; profitMultiplier: null }
): Promise<void> {
  await tx
    .updateTable('voiceAgent')
    .set({ ...mapping, updatedAt: now() })
    .where((eb) => eb.and(known({ partnerId, provider, agentId })))
    .execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    voiceAgent: {
      partnerId: string
      provider: 'a' | 'b'
      agentId: string
      name: string
      customerId: string | null
      profitMultiplier: number | null
      createdAt: string
      updatedAt: string
    }
  }
}
