// What a Mind knows before a batch: the facts that its memories may repeat, replace or end.

import { ENDED_TIER, type FactKind, PROFILE_TIERS } from '../facts/fact.ts'
import { newestFirst } from '../facts/resolve-slot.ts'
import { type BatchMemory, compiledOnce, type ReadHandle, type Slot } from '../port.ts'

export interface KnownFact {
  seq: number
  part: number
  subject: string
  kind: FactKind
  slot: string
  value: string
  headTier: number
  occurredAt: string
}

const PER_TIER = 60

const MAX_SHOWN = 60

export async function knownFacts(db: ReadHandle, mindKey: number): Promise<KnownFact[]> {
  const tiers = [...PROFILE_TIERS, ENDED_TIER]
  const heads: KnownFact[] = []
  for (const tier of tiers) heads.push(...(await headsOfTier(db, mindKey, tier, PER_TIER)))
  return heads
}

const headsOfTier = compiledOnce((db, mindKey: Slot<number>, headTier: Slot<number>, count: Slot<number>) =>
  db
    .selectFrom('fact')
    .where('mindKey', '=', mindKey)
    .where('headTier', '=', headTier)
    .select(['seq', 'part', 'subject', 'kind', 'slot', 'value', 'headTier', 'occurredAt'])
    .$narrowType<{ kind: FactKind; headTier: number }>()
    .orderBy('occurredAt', 'desc')
    .orderBy('seq', 'desc')
    .orderBy('part', 'desc')
    .limit(count)
)

/** Those that the memories may be about: of somebody who occurs in them, the nearest by their words first. */
export function factsNear(known: readonly KnownFact[], memories: readonly BatchMemory[]): KnownFact[] {
  const words = new Set(memories.flatMap(({ author, content }) => wordsIn(`${author ?? ''} ${content}`)))
  const nearness = ({ subject, value, slot, headTier }: KnownFact): number => {
    const isMeant = subject === '' || wordsIn(subject).some((word) => words.has(word))
    if (!isMeant || headTier === ENDED_TIER) return 0
    const topic = slot.slice(slot.lastIndexOf('|') + 1)
    const shared = wordsIn(`${value} ${topic}`).filter((word) => word.length > 2 && words.has(word))
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
