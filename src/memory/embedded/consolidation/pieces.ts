// What a model is shown: of what the Mind knows the facts that the memories may be about, and what one call can hold.
import { ALL_TIERS, ENDED_TIER, topicIn } from '../facts/fact.ts'
import { byTier, headsOfTiers } from '../facts/heads.ts'
import { newestFirst } from '../facts/resolve-slot.ts'
import { type BatchMemory, CUT_NOTE, type ReadHandle, tokensAtMost } from '../port.ts'
import type { KnownFact, LabelledMemory } from './prompt.ts'
import { factLine, INSTRUCTIONS, memoryLine } from './prompt.ts'

const PER_TIER = 60
const MAX_SHOWN = 60

const newestHeads = headsOfTiers(ALL_TIERS, PER_TIER)

export const knownFacts = async (db: ReadHandle, mindKey: number): Promise<KnownFact[]> =>
  (await newestHeads(db, mindKey, '')).sort(byTier)

/** A longer memory is read in so many calls; nothing behind is read. */
export const MAX_PIECES = 4

const FENCE_TOKENS = 300
const KNOWN_SHARE = 0.3

export type Budget = ReturnType<typeof budgetOf>

export function budgetOf(maxInputTokens: number) {
  const left = Math.max(maxInputTokens - tokensAtMost(INSTRUCTIONS) - FENCE_TOKENS, 0)
  return { known: left * KNOWN_SHARE, memories: left * (1 - KNOWN_SHARE) }
}

export function fittingCount(memories: readonly BatchMemory[], budget: Budget): number {
  const fitting = fittingOf(memories.map(labelWhole), budget.memories, costOf)
  return Math.max(fitting.length, Math.min(memories.length, 1))
}

export function factsFor(memories: readonly BatchMemory[], known: readonly KnownFact[], budget: Budget) {
  const labelled = factsNear(known, memories).map((fact, index) => ({ label: `f${index + 1}`, fact }))
  return fittingOf(labelled, budget.known, (one) => tokensAtMost(factLine(one, 'm99')) + 2)
}

/** Those that the memories may be about: of somebody who occurs in them, the nearest by their words first. */
function factsNear(known: readonly KnownFact[], memories: readonly BatchMemory[]): KnownFact[] {
  const words = new Set(memories.flatMap(({ author, content }) => wordsIn(`${author ?? ''} ${content}`)))
  const nearness = ({ subject, value, slot, headTier }: KnownFact): number => {
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

/** The first of them that there is room for. */
function fittingOf<One>(all: readonly One[], room: number, cost: (one: One) => number): One[] {
  let left = room
  const end = all.findIndex((one) => {
    left -= cost(one)
    return left < 0
  })
  return all.slice(0, end < 0 ? undefined : end)
}

export function callsFor(memories: readonly BatchMemory[], budget: Budget): LabelledMemory[][] {
  const calls: LabelledMemory[][] = []
  let left = 0
  for (const whole of memories.map(labelWhole)) {
    const cost = costOf(whole)
    if (cost > budget.memories) {
      calls.push(...piecesOf(whole.memory, budget).map((text) => [{ ...whole, text }]))
      left = 0
      continue
    }
    if (cost > left) {
      calls.push([])
      left = budget.memories
    }
    calls.at(-1)?.push(whole)
    left -= cost
  }
  return calls
}

export const labelWhole = (memory: BatchMemory, index: number): LabelledMemory => ({
  label: `m${index + 1}`,
  memory,
  text: memory.content
})

const costOf = (memory: LabelledMemory): number => tokensAtMost(memoryLine(memory)) + 2

function piecesOf(memory: BatchMemory, budget: Budget): string[] {
  const around = costOf({ label: 'm99', memory, text: CUT_NOTE })
  const pieces: string[] = []
  let rest = memory.content
  while (rest.length > 0 && pieces.length < MAX_PIECES) {
    const end = endWithin(rest, budget.memories - around)
    pieces.push(rest.slice(0, end).toWellFormed())
    rest = rest.slice(end)
  }
  return rest.length === 0 ? pieces : [...pieces.slice(0, -1), `${pieces.at(-1)}${CUT_NOTE}`]
}

/** No character takes less. */
const LEAST_TOKENS = 0.7

function endWithin(text: string, tokens: number): number {
  let end = Math.min(text.length, Math.max(1, Math.floor(tokens / LEAST_TOKENS)))
  while (end > 1 && tokensAtMost(JSON.stringify(text.slice(0, end))) > tokens) end = Math.floor(end * 0.9)
  if (end === text.length) return end
  const marks = ['\n', '. ', '! ', '? ', '。']
  const breakAt = Math.max(...marks.map((mark) => text.lastIndexOf(mark, end - mark.length) + mark.length))
  return breakAt > end / 2 ? breakAt : end
}
