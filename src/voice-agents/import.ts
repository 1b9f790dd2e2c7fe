// Voice agents from a file: JSON Lines of `{"id", "name"}`, for providers that have no API key here yet.
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { ImportedVoiceAgent, type Provider } from '../../schemas/voice-agent.ts'
import type { Database } from '../database/database.ts'
import { invalidInput } from '../invalid-input.ts'
import { upsertVoiceAgents } from './store.ts'

type Agent = z.output<typeof ImportedVoiceAgent>

export interface LineProblem {
  /** Counted from 1. */
  line: number
  problem: string
}

/** What a file holds: the agents of its good lines, and what is wrong with the others. */
export interface AgentFile {
  agents: Agent[]
  problems: LineProblem[]
}

/** Reads every line before anything is written, so that a bad file changes nothing. Blank lines are skipped. */
export async function readAgentFile(lines: AsyncIterable<string>): Promise<AgentFile> {
  const agents: Agent[] = []
  const problems: LineProblem[] = []
  const firstLineOf = new Map<string, number>()
  let line = 0
  for await (const text of lines) {
    line += 1
    // Spreadsheets and Windows editors put a byte order mark in front.
    const content = (line === 1 ? text.replace(/^\uFEFF/, '') : text).trim()
    if (content === '') continue
    const read = readLine(content)
    const earlier = 'agent' in read ? firstLineOf.get(read.agent.id) : undefined
    if (!('agent' in read)) problems.push({ line, problem: read.problem })
    else if (earlier) problems.push({ line, problem: `It has the same id as line ${earlier}.` })
    else {
      firstLineOf.set(read.agent.id, line)
      agents.push(read.agent)
    }
  }
  return { agents, problems }
}

function readLine(content: string): { agent: Agent } | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return { problem: 'It is not JSON. Each line is one object: {"id": "…", "name": "…"}.' }
  }
  const parsed = ImportedVoiceAgent.safeParse(value)
  return parsed.success ? { agent: parsed.data } : { problem: invalidInput(parsed.error, 'It').message }
}

/** Rows in one transaction. It holds SQLite's write lock for about 1 ms (measured; 5 at most). */
const BATCH = 200

/**
 * Adds the agents to the partner's, or renames those it has; who they are mapped to stays. Each batch is a transaction
 * of its own: stopped half-way, the same import can simply be run again.
 *
 * @param onProgress is told after each batch how many agents are done
 */
export async function importVoiceAgents(
  database: Database,
  partnerId: string,
  provider: Provider,
  agents: readonly Agent[],
  onProgress: (done: number) => void
): Promise<void> {
  for (let start = 0; start < agents.length; start += BATCH) {
    const batch = agents.slice(start, start + BATCH)
    const startedAt = performance.now()
    await database.transaction((tx) => upsertVoiceAgents(tx, partnerId, provider, batch))
    onProgress(start + batch.length)
    // SQLite doesn't queue writers: without a pause those of a running service would hardly ever find the lock free.
    await sleep(performance.now() - startedAt)
  }
}
