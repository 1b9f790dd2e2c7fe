import type { Generated, Selectable } from 'kysely'
import type { Provider } from '../../schemas/voice-agent.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { known } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'

/** An agent is its provider's: another one may have the same id. */
export type AgentKey = Pick<Tables['voiceAgent'], 'partnerId' | 'provider' | 'agentId'>

const keyOf = ({ partnerId, provider, agentId }: AgentKey) => known({ partnerId, provider, agentId })

/**
 * The partner's agent at that provider; others can't change it until the transaction ends.
 * @throws ServiceError `agent_not_found` (§7: 404)
 */
export async function lockVoiceAgent(tx: WriteHandle, agentKey: AgentKey) {
  const agent = await tx
    .updateTable('voiceAgent')
    // Writing a column to itself is the row lock that both databases know.
    .set((eb) => ({ agentId: eb.ref('agentId') }))
    .where((eb) => eb.and(keyOf(agentKey)))
    .returningAll()
    .executeTakeFirst()
  if (agent) return agent
  const text = 'There is no voice agent with this id. Import it or check the provider.'
  throw new ServiceError('agent_not_found', text, { field: 'agentId' })
}

/** Those of the partner's agents; others can't change them until the transaction ends. Who is unknown is made known. */
export async function lockVoiceAgents(
  tx: WriteHandle,
  partnerId: string,
  provider: Provider,
  agentIds: ReadonlySet<string>
): Promise<Map<string, Selectable<Tables['voiceAgent']>>> {
  if (agentIds.size === 0) return new Map()
  const at = now()
  const unmapped = { customerId: null, multiplierMicros: null, createdAt: at, updatedAt: at }
  // In one order everywhere, or two pages would wait for each other.
  const agents = [...agentIds].sort().map((agentId) => ({ partnerId, provider, agentId, name: agentId }))
  const rows = await tx
    .insertInto('voiceAgent')
    .values(agents.map((agent) => ({ ...agent, ...unmapped })))
    .onConflict((conflict) =>
      conflict
        .columns(['partnerId', 'provider', 'agentId'])
        .doUpdateSet((eb) => ({ agentId: eb.ref('voiceAgent.agentId') }))
    )
    .returningAll()
    .execute()
  return new Map(rows.map((agent) => [agent.agentId, agent]))
}

export async function hasVoiceAgent(db: ReadHandle, agentKey: AgentKey) {
  const agents = db.selectFrom('voiceAgent').where((eb) => eb.and(keyOf(agentKey)))
  return (await agents.select('agentId').executeTakeFirst()) !== undefined
}

/** The partner's others stay, and whom those that it has are mapped to. */
export async function upsertVoiceAgents(
  tx: WriteHandle,
  partnerId: string,
  provider: Provider,
  agents: readonly { id: string; name: string }[]
) {
  const at = now()
  const unmapped = { customerId: null, multiplierMicros: null, createdAt: at, updatedAt: at }
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

/** When the last of the agent's periods ended that wasn't this customer's. */
export async function endOfOthers(db: ReadHandle, agentKey: AgentKey, customerId: string) {
  const { endsAt } = await db
    .selectFrom('voiceAgentPeriod')
    .where((eb) => eb.and(keyOf(agentKey)))
    .where((eb) => eb.or([eb('customerId', 'is', null), eb('customerId', '!=', customerId)]))
    .select((eb) => eb.fn.max('endsAt').as('endsAt'))
    .executeTakeFirstOrThrow()
  return endsAt
}

/**
 * From then on the agent's calls are that customer's, or nobody's, whatever was said before; those that ended since are
 * priced anew.
 */
export async function setMapping(
  tx: WriteHandle,
  agent: Selectable<Tables['voiceAgent']>,
  mapping: { customerId: string; multiplierMicros: number } | { customerId: null; multiplierMicros: null },
  startsAt: string
) {
  const { partnerId, provider, agentId, repriceFrom } = agent
  const key = known({ partnerId, provider, agentId })
  const ofAgent = tx.deleteFrom('voiceAgentPeriod').where((eb) => eb.and(key))
  await ofAgent.where('startsAt', '>=', startsAt).execute()
  await tx
    .updateTable('voiceAgentPeriod')
    .set({ endsAt: startsAt })
    .where((eb) => eb.and(key))
    .where((eb) => eb.or([eb('endsAt', 'is', null), eb('endsAt', '>', startsAt)]))
    .execute()
  if (mapping.customerId !== null)
    await tx
      .insertInto('voiceAgentPeriod')
      .values({ ...key, ...mapping, startsAt, endsAt: null })
      .execute()
  await tx
    .updateTable('voiceAgent')
    .set({
      ...mapping,
      repriceFrom: repriceFrom !== null && repriceFrom < startsAt ? repriceFrom : startsAt,
      updatedAt: now()
    })
    .where((eb) => eb.and(key))
    .execute()
}

export const agentsMappedTo = (db: ReadHandle, partnerId: string, customerId: string): Promise<AgentKey[]> =>
  db
    .selectFrom('voiceAgent')
    .where('partnerId', '=', partnerId)
    .where('customerId', '=', customerId)
    .select(['partnerId', 'provider', 'agentId'])
    .orderBy('provider')
    .orderBy('agentId')
    .execute()

/** A customer that is erased leaves its agents to nobody. In their order, as everybody locks them, before the customer. */
export async function unmapAllOf(tx: WriteHandle, partnerId: string, customerId: string) {
  for (const key of await agentsMappedTo(tx, partnerId, customerId)) {
    const agent = await lockVoiceAgent(tx, key)
    if (agent.customerId === customerId)
      await setMapping(tx, agent, { customerId: null, multiplierMicros: null }, now())
  }
}

export async function setRepriceFrom(
  tx: WriteHandle,
  agentKey: AgentKey,
  repriceFrom: string | null
): Promise<void> {
  const agent = tx.updateTable('voiceAgent').where((eb) => eb.and(keyOf(agentKey)))
  await agent.set({ repriceFrom }).execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    /** Whose an agent's calls were from then on, until `endsAt`, and at what multiplier. */
    voiceAgentPeriod: {
      partnerId: string
      provider: Provider
      agentId: string
      startsAt: string
      endsAt: string | null
      /** `null` once that customer was erased: its calls are nobody's, and not kept. */
      customerId: string | null
      multiplierMicros: number
    }
    voiceAgent: {
      partnerId: string
      provider: Provider
      agentId: string
      name: string
      customerId: string | null
      /** Millionths of `profitMultiplier`. */
      multiplierMicros: number | null
      /**
       * Calls that ended since are priced anew: what they were priced by has changed. Once that has begun it is
       * `<endedAt> <id>` of the last one done, which sorts behind that `endedAt`.
       */
      repriceFrom: Generated<string | null>
      createdAt: string
      updatedAt: string
    }
  }
}
