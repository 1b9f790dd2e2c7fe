// Prices calls anew whose agent's mapping was corrected: in the background, a batch at a time, each in the transaction that
// moves on what is left. A crash leaves the rest, and nothing is written where nothing differs.
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { unhurried } from '../jobs/deleter.ts'
import { type AgentKey, lockVoiceAgent, ofAgent } from '../voice-agents/store.ts'
import { priceCalls } from './pricing.ts'

const BATCH = 50
const AGENTS = 100

/** Goes on until nothing is left; agents take turns, so that one with many calls keeps nobody waiting. */
export async function repriceCalls(database: Database, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    const agents = await database.read
      .selectFrom('voiceAgent')
      .where('repriceFrom', 'is not', null)
      .select(['partnerId', 'provider', 'agentId'])
      .orderBy(sql`random()`)
      .limit(AGENTS)
      .execute()
    if (agents.length === 0) return
    for (const agent of agents) {
      if (stopping?.aborted) return
      await repriceSome(database, agent)
    }
  }
}

function repriceSome(database: Database, agentKey: AgentKey): Promise<void> {
  return unhurried(
    database,
    async (tx) => {
      const agent = await lockVoiceAgent(tx, agentKey)
      // Another process was quicker.
      if (agent.repriceFrom === null) return
      const [endedAt = '', after = ''] = agent.repriceFrom.split(' ')
      const calls = await tx
        .selectFrom('call')
        .where(ofAgent(agent))
        .where(sql<boolean>`("endedAt", "id") > (${endedAt}, ${after})`)
        .selectAll()
        .orderBy('endedAt')
        .orderBy('id')
        .limit(BATCH)
        .execute()
      const tellings = calls.map((call) => ({ kept: call, told: call }))
      await priceCalls(tx, agent, tellings, new Map([[agent.agentId, agent]]))
      const last = calls.length === BATCH ? calls.at(-1) : undefined
      const repriceFrom = last ? `${last.endedAt} ${last.id}` : null
      await tx.updateTable('voiceAgent').set({ repriceFrom }).where(ofAgent(agent)).execute()
    },
    agentKey.partnerId
  )
}
