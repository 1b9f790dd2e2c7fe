// What one call to a model can hold: of the memories that wait, and of what is known.
import type { FactHead } from '../facts/heads.ts'
import { type BatchMemory, CUT_NOTE, tokensAtMost } from '../port.ts'
import { factLine, INSTRUCTIONS, type LabelledFact, type LabelledMemory, memoryLine } from './prompt.ts'

/** A longer memory is read in so many calls; nothing behind is read. */
export const MAX_PIECES = 4

const FENCE_TOKENS = 300
const KNOWN_SHARE = 0.3

export interface Budget {
  known: number
  memories: number
}

export function budgetOf(maxInputTokens: number): Budget {
  const left = Math.max(maxInputTokens - tokensAtMost(INSTRUCTIONS) - FENCE_TOKENS, 0)
  return { known: left * KNOWN_SHARE, memories: left * (1 - KNOWN_SHARE) }
}

export function fittingCount(memories: readonly BatchMemory[], budget: Budget): number {
  const fitting = fittingOf(memories.map(labelledWhole), budget.memories, costOf)
  return Math.max(fitting.length, Math.min(memories.length, 1))
}

export function fittingFacts(facts: readonly FactHead[], budget: Budget): LabelledFact[] {
  const labelled = facts.map((fact, index) => ({ label: `f${index + 1}`, fact }))
  return fittingOf(labelled, budget.known, (one) => tokensAtMost(factLine(one, 'm99')) + 2)
}

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
  for (const whole of memories.map(labelledWhole)) {
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

export const labelledWhole = (memory: BatchMemory, index: number): LabelledMemory => ({
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
