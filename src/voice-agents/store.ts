import { type Generated, type Selectable, sql } from 'kysely'
import type { Provider } from '../../schemas/voice-agent.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { rowsWhere } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { containing, foldText } from '../fold.ts'

/** A partner's account at a provider. */
export interface ProviderAccount {
  partnerId: string
  provider: Provider
}

/** An agent is its provider's: another one may have the same id. */
export interface AgentKey extends ProviderAccount {
  agentId: string
}

const KEY = ['partnerId', 'provider', 'agentId'] as const

/** Which rows are about that account. */
export const ofAccount = ({ partnerId, provider }: ProviderAccount) =>
  sql<boolean>`"partnerId" = ${partnerId} and "provider" = ${provider}`

export const ofAgent = (agentKey: AgentKey) =>
  sql<boolean>`${ofAccount(agentKey)} and "agentId" = ${agentKey.agentId}`

/** Whose name or id has the text in it. */
export const isNamedLike = (search: string) =>
  sql<boolean>`"voiceAgent"."searchText" like ${containing(search)} escape '\\'`

/** For joins: which agent a row of that table is about. */
export const isAgentOf = (table: string) => {
  const same = (column: string) => sql`"voiceAgent".${sql.ref(column)} = ${sql.ref(`${table}.${column}`)}`
  return sql<boolean>`${sql.join(KEY.map(same), sql` and `)}`
}

/**
 * The partner's agent at that provider; others can't change it until the transaction ends.
 * @throws ServiceError `agent_not_found` (§7: 404)
 */
export async function lockVoiceAgent(tx: WriteHandle, agentKey: AgentKey) {
  const agent = await tx
    .updateTable('voiceAgent')
    // Writing a column to itself is the row lock that both databases know.
    .set((eb) => ({ agentId: eb.ref('agentId') }))
    .where(ofAgent(agentKey))
    .returningAll()
    .executeTakeFirst()
  if (agent) return agent
  throw new ServiceError('agent_not_found')
}

const NOBODYS = { customerId: null, multiplierMicros: null }

export interface NamedAgent {
  id: string
  name: string
}

function insertAgents(
  tx: WriteHandle,
  { partnerId, provider }: ProviderAccount,
  agents: readonly NamedAgent[]
) {
  const at = now()
  const fresh = { ...NOBODYS, createdAt: at, updatedAt: at }
  const rows = agents.map(({ id, name }) => ({
    partnerId,
    provider,
    agentId: id,
    name,
    searchText: [name, id].map(foldText).join('\n'),
    ...fresh
  }))
  return tx.insertInto('voiceAgent').values(rows)
}

/** Those of the partner's agents; others can't change them until the transaction ends. Who is unknown is made known. */
export async function lockVoiceAgents(tx: WriteHandle, account: ProviderAccount, ids: ReadonlySet<string>) {
  // In one order everywhere, or two pages would wait for each other.
  const agents = [...ids].sort().map((id) => ({ id, name: id }))
  const locking = insertAgents(tx, account, agents).onConflict((conflict) =>
    conflict.columns(KEY).doUpdateSet((eb) => ({ agentId: eb.ref('voiceAgent.agentId') }))
  )
  const rows = agents.length === 0 ? [] : await locking.returningAll().execute()
  return new Map(rows.map((agent) => [agent.agentId, agent]))
}

/** The partner's others stay, and whom those that it has are mapped to. */
export async function upsertVoiceAgents(
  tx: WriteHandle,
  account: ProviderAccount,
  agents: readonly NamedAgent[]
) {
  await insertAgents(tx, account, agents)
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        searchText: eb.ref('excluded.searchText'),
        updatedAt: now()
      }))
    )
    .execute()
}

/** When the last of the agent's periods ended that wasn't this customer's. */
export async function endOfOthers(db: ReadHandle, agentKey: AgentKey, customerId: string) {
  const { endsAt } = await db
    .selectFrom('voiceAgentPeriod')
    .where(ofAgent(agentKey))
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
  startsAt: string,
  mapping?: { customerId: string; multiplierMicros: number }
) {
  const { partnerId, provider, agentId } = agent
  const later = tx.deleteFrom('voiceAgentPeriod').where(ofAgent(agent))
  await later.where('startsAt', '>=', startsAt).execute()
  await tx
    .updateTable('voiceAgentPeriod')
    .set({ endsAt: startsAt })
    .where(ofAgent(agent))
    .where((eb) => eb.or([eb('endsAt', 'is', null), eb('endsAt', '>', startsAt)]))
    .execute()
  if (mapping) {
    const period = { partnerId, provider, agentId, ...mapping, startsAt, endsAt: null }
    await tx.insertInto('voiceAgentPeriod').values(period).execute()
  }
  const repriceFrom =
    agent.repriceFrom !== null && agent.repriceFrom < startsAt ? agent.repriceFrom : startsAt
  const changed = { ...(mapping ?? NOBODYS), repriceFrom, updatedAt: now() }
  await tx.updateTable('voiceAgent').set(changed).where(ofAgent(agent)).execute()
}

export const agentsMappedTo = (db: ReadHandle, partnerId: string, customerId: string): Promise<AgentKey[]> =>
  rowsWhere(db, 'voiceAgent', { partnerId, customerId })
    .select(['partnerId', 'provider', 'agentId'])
    .orderBy('provider')
    .orderBy('agentId')
    .execute()

/** A customer that is erased leaves its agents to nobody. In their order, as everybody locks them, before the customer. */
export async function unmapAllOf(tx: WriteHandle, partnerId: string, customerId: string) {
  for (const key of await agentsMappedTo(tx, partnerId, customerId)) {
    const agent = await lockVoiceAgent(tx, key)
    if (agent.customerId === customerId) await setMapping(tx, agent, now())
  }
}

declare module '../database/tables.ts' {
  interface Tables {
    /** Whose an agent's calls were from then on, until `endsAt`, and at what multiplier. */
    voiceAgentPeriod: AgentKey & {
      startsAt: string
      endsAt: string | null
      /** `null` once that customer was erased: its calls are nobody's, and not kept. */
      customerId: string | null
      multiplierMicros: number
    }
    voiceAgent: AgentKey & {
      /** Its folded name and id, one a line: what `search` looks in. */
      searchText: string | null
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
