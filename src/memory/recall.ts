import { now } from '../clock.ts'
import type { ReadHandle } from '../database/database.ts'
import type { MemoryEngine } from './engine.ts'
import { newestMemories, withCorrections } from './memories.ts'
import type { Mind } from './minds.ts'
import { CUT_NOTE, fitTexts, tokensAtMost } from './token-budget.ts'

const NEWEST = 20

/** Of one memory, in characters. */
export const LONGEST_SHOWN = 8_000

/** Clients cut off what is over 25,000 tokens; the rest is for ids, times and punctuation. */
const TEXT_BUDGET = 22_000

/** What the Mind knows and what it was told last. Reads rows only. */
export async function recall(db: ReadHandle, engine: MemoryEngine, mind: Pick<Mind, 'key' | 'id'>) {
  const memories = await newestMemories(db, mind.key, NEWEST, LONGEST_SHOWN)
  const { profile, snapshot, degraded } = await engine.recall(db, mind.key, now(), memories)
  const shown = shownTexts(memories, tokensAtMost(profile) + tokensAtMost(snapshot))
  const messages = (await withCorrections(db, mind.key, memories)).map(
    ({ opening: _, isLonger: __, ...memory }, i) => ({
      ...memory,
      content: shown[i] ?? ''
    })
  )
  return { mindId: mind.id, profile, snapshot, messages, degraded }
}

/** What an answer shows of each; a cut is told. @param taken tokens of the answer that are something else's */
export function shownTexts(
  memories: readonly { content: string; isLonger: number }[],
  taken: number
): string[] {
  const contents = memories.map(({ content, isLonger }) => (isLonger ? content + CUT_NOTE : content))
  return fitTexts(contents, TEXT_BUDGET - taken)
}

export function recallEmpty({ id: mindId }: Pick<Mind, 'id'>) {
  return { mindId, profile: '', snapshot: '', messages: [], degraded: false }
}
