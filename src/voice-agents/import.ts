// Voice agents from a file: JSON Lines of `{"id", "name"}`, for providers that have no API key here yet.
import { ImportedVoiceAgent } from '../../schemas/voice-agent.ts'
import type { Database } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { unhurried } from '../jobs/deleter.ts'
import { readJsonLines } from '../json-lines.ts'
import { type NamedAgent, type ProviderAccount, upsertVoiceAgents } from './store.ts'

const FORM = '{"id": "…", "name": "…"}'

/** Reads every line before anything is written, so that a bad file changes nothing. */
export function readAgentFile(lines: AsyncIterable<string>) {
  const firstLineOf = new Map<string, number>()
  return readJsonLines(lines, ImportedVoiceAgent, FORM, (agent, line) => {
    const earlier = firstLineOf.get(agent.id)
    if (earlier) throw new ServiceError('invalid_input', `It has the same id as line ${earlier}.`)
    firstLineOf.set(agent.id, line)
    return agent
  })
}

/** Rows in one transaction. It holds SQLite's write lock for about 1 ms (measured; 5 at most). */
const BATCH = 200

/**
 * Adds the agents to the partner's, or renames those it has; who they are mapped to stays. Each batch is a transaction of
 * its own: stopped half-way, the same import can simply be run again.
 * @param onProgress is told after each batch how many agents are done
 */
export async function importVoiceAgents(
  database: Database,
  account: ProviderAccount,
  agents: readonly NamedAgent[],
  onProgress: (done: number) => void
) {
  for (let start = 0; start < agents.length; start += BATCH) {
    const batch = agents.slice(start, start + BATCH)
    await unhurried(database, (tx) => upsertVoiceAgents(tx, account, batch))
    onProgress(start + batch.length)
  }
}
