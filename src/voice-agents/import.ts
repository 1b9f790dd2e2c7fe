// Voice agents from a file: JSON Lines of `{"id", "name"}`, for providers that have no API key here yet.
import type { z } from 'zod'
import { ImportedVoiceAgent } from '../../schemas/voice-agent.ts'
import type { Database } from '../database/database.ts'
import { unhurried } from '../jobs/deleter.ts'
import { type LineProblem, readJsonLines } from '../json-lines.ts'
import { type ProviderAccount, upsertVoiceAgents } from './store.ts'

type Agent = z.output<typeof ImportedVoiceAgent>

/** Reads every line before anything is written, so that a bad file changes nothing. */
export async function readAgentFile(lines: AsyncIterable<string>) {
  const agents: Agent[] = []
  const problems: LineProblem[] = []
  const firstLineOf = new Map<string, number>()
  for await (const read of readJsonLines(lines, ImportedVoiceAgent, '{"id": "…", "name": "…"}')) {
    if ('problem' in read) {
      problems.push(read)
      continue
    }
    const { line, value: agent } = read
    const earlier = firstLineOf.get(agent.id)
    if (earlier) problems.push({ line, problem: `It has the same id as line ${earlier}.` })
    else {
      firstLineOf.set(agent.id, line)
      agents.push(agent)
    }
  }
  return { agents, problems }
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
  agents: readonly Agent[],
  onProgress: (done: number) => void
) {
  for (let start = 0; start < agents.length; start += BATCH) {
    const batch = agents.slice(start, start + BATCH)
    await unhurried(database, (tx) => upsertVoiceAgents(tx, account, batch))
    onProgress(start + batch.length)
  }
}
