import { now } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import type { MemoryEngine } from './engine.ts'
import { newestMemories } from './memories.ts'
import type { Mind } from './minds.ts'
import { CUT_NOTE, fitTexts, tokensAtMost } from './token-budget.ts'

const NEWEST = 20

const LONGEST_SHOWN = 8_000

/** Clients cut off what is over 25,000 tokens; the rest is for ids, times and punctuation. */
const TEXT_BUDGET = 22_000

/** What the Mind knows and what it was told last. Reads rows only. */
export async function recall(db: ReadHandle, engine: MemoryEngine, mind: Mind) {
  const memories = await newestMemories(db, mind.key, NEWEST, LONGEST_SHOWN)
  const { profile, snapshot, degraded } = await engine.recall(db, mind.key, now(), memories)
  const contents = memories.map(({ content, isLonger }) => (isLonger ? content + CUT_NOTE : content))
  const shown = fitTexts(contents, TEXT_BUDGET - tokensAtMost(profile) - tokensAtMost(snapshot))
  const messages = memories.map(({ id, occurredAt, createdAt }, i) => ({
    id,
    content: shown[i] ?? '',
    occurredAt,
    createdAt
  }))
  return { mindId: mind.id, profile, snapshot, messages, degraded }
}

export function recallEmpty({ id: mindId }: Mind) {
  return { mindId, profile: '', snapshot: '', messages: [], degraded: false }
}
