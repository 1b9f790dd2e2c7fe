// What a Mind knows before a batch: the facts that its memories may repeat, replace or end.
import { ENDED_TIER, topicIn } from '../facts/fact.ts'
import { byTier, type FactHead, headsOfEachTier } from '../facts/heads.ts'
import { newestFirst } from '../facts/resolve-slot.ts'
import type { BatchMemory, ReadHandle } from '../port.ts'

const PER_TIER = 60
const MAX_SHOWN = 60

const newestHeads = headsOfEachTier(PER_TIER)

export const knownFacts = async (db: ReadHandle, mindKey: number): Promise<FactHead[]> =>
  (await newestHeads(db, mindKey)).sort(byTier)

/** Those that the memories may be about: of somebody who occurs in them, the nearest by their words first. */
export function factsNear(known: readonly FactHead[], memories: readonly BatchMemory[]): FactHead[] {
  const words = new Set(memories.flatMap(({ author, content }) => wordsIn(`${author ?? ''} ${content}`)))
  const nearness = ({ subject, value, slot, headTier }: FactHead): number => {
    const isMeant = subject === '' || wordsIn(subject).some((word) => words.has(word))
    if (!isMeant || headTier === ENDED_TIER) return 0
    const shared = wordsIn(`${value} ${topicIn(slot)}`).filter((word) => word.length > 2 && words.has(word))
    return 1 + Math.min(shared.length, 4) + (headTier < 2 ? 2 : 0)
  }
  return known
    .map((fact) => ({ fact, near: nearness(fact) }))
    .filter(({ near }) => near > 0)
    .sort((a, b) => b.near - a.near || newestFirst(a.fact, b.fact))
    .slice(0, MAX_SHOWN)
    .map(({ fact }) => fact)
}

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
