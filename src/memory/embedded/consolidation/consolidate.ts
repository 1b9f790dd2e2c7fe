// Facts by a language model, in the background. It reads what the rules can't; how its facts compete and fall with their
// memories is as with theirs.
import { setTimeout } from 'node:timers/promises'
import { withoutPlanted } from '../answering/planted.ts'
import { ENDED_TIER, topicIn } from '../facts/fact.ts'
import { byTier, type FactHead, headsOfEachTier } from '../facts/heads.ts'
import { type ModelFact, replaceModelFacts } from '../facts/model-facts.ts'
import { isRecalled } from '../facts/told-lines.ts'
import { contentWords } from '../facts/topics.ts'
import { failureOf, MAY_BE_THE_TEXTS } from '../model-failure.ts'
import type { Batch, BatchMemory, LanguageModel, Log, MindWork, ModelSettings, ReadHandle } from '../port.ts'
import { addUsage, ModelError, noUsage, toOneLine } from '../port.ts'
import { topAuthors } from '../search-store.ts'
import { draftsOf } from './drafts.ts'
import type { FactChange, LabelledFact, LabelledMemory } from './prompt.ts'
import { CONSOLIDATION, labelledWhole, MAX_PIECES, promptOf, roomIn } from './prompt.ts'

const MAX_BATCH = 20
const MAX_AUTHORS = 1_000

interface Parts {
  database: { read: ReadHandle }
  model: LanguageModel
  log: Log | undefined
  settings: Pick<ModelSettings, 'timeoutMs' | 'concurrency' | 'consolidateAfter' | 'consolidateAgeMs'>
  paceMs?: number
}

/** However fast a model is, recall and remember come first: few answer so many batches a second. */
const PACE_MS = 125

export function createConsolidation({ database, model, log, settings, paceMs = PACE_MS }: Parts): MindWork {
  const room = roomIn(model.maxInputTokens)
  // Until a model has answered once, what it refuses says nothing of the memories: it may not even be there.
  let hasAnswered = false
  return {
    kind: 'consolidate',
    maxBatch: MAX_BATCH,
    dueAfter: settings.consolidateAfter,
    maxAgeMs: settings.consolidateAgeMs,
    concurrency: settings.concurrency,
    deadlineMs: MAX_PIECES * settings.timeoutMs,
    madeWith: null,
    fitting: room.countOf,
    async perform(batch, signal) {
      const pace = setTimeout(settings.concurrency * paceMs, undefined, { signal })
      const [{ factsOf, usage }] = await Promise.all([
        readFacts(batch, signal),
        pace.catch(() => signal.throwIfAborted())
      ])
      return {
        usage: [usage],
        async apply(tx, kept) {
          // Those without a fact, too: what was read from them before is gone then.
          const factsOfKept = [...kept].map((seq): [number, ModelFact[]] => {
            const facts = factsOf.get(seq) ?? []
            return [seq, facts.filter(({ standsOn = seq }) => kept.has(standsOn))]
          })
          await replaceModelFacts(tx, batch.mindKey, new Map(factsOfKept))
        }
      }
    }
  }

  async function readFacts({ mindKey, memories }: Batch, signal: AbortSignal) {
    const worthy = memories.filter(({ content }) => !isRecalled(content)).flatMap(withoutOrders)
    if (worthy.length === 0) return { factsOf: new Map<number, ModelFact[]>(), usage: noUsage('consolidate') }
    const known = (await comparedHeads(database.read, mindKey)).sort(byTier)
    const authors = new Set((await topAuthors(database.read, mindKey, MAX_AUTHORS)).map(({ name }) => name))
    const facts = room.factsOf(factsNear(known, worthy))
    const { operations, usage } = await askAll(facts, room.callsFor(worthy), signal)
    const labelled = worthy.map(labelledWhole)
    const { factsOf, dropped } = await draftsOf(operations, { memories: labelled, facts, known, authors })
    const said = { work: 'consolidate', count: dropped }
    if (dropped > 0) log?.info('what a model said of memories was not in them', said)
    return { factsOf, usage }
  }

  /** One call after the other. @throws BatchRefused, WorkPostponed; what `signal` aborted with, if it did */
  async function askAll(
    facts: readonly LabelledFact[],
    calls: readonly LabelledMemory[][],
    signal: AbortSignal
  ) {
    const operations: FactChange[] = []
    let usage = noUsage('consolidate')
    for (const memories of calls) {
      const prompt = { ...CONSOLIDATION, ...promptOf(facts, memories), timeoutMs: settings.timeoutMs, signal }
      const answered = await model.answer(prompt).catch((error: unknown) => {
        if (!(error instanceof ModelError)) throw error
        const isTheirs = MAY_BE_THE_TEXTS.has(error.fault) && (error.fault !== 'refused' || hasAnswered)
        throw failureOf(error, 'language model', [addUsage(usage, error.usage)], isTheirs)
      })
      hasAnswered = true
      operations.push(...answered.value.operations)
      usage = addUsage(usage, answered.usage)
    }
    return { operations, usage }
  }
}

/** The memory without what is said in it to a model; nothing where that can't be told apart from the rest. */
function withoutOrders(memory: BatchMemory): BatchMemory[] {
  const content = memory.content.split('\n').map(withoutPlanted).join('\n')
  return withoutPlanted(content) === toOneLine(content) ? [{ ...memory, content }] : []
}

// What a Mind knows before a batch: the facts that its memories may repeat, replace or end.

const PER_TIER = 60
const MAX_SHOWN = 60
/** A lone memory would take the most of its tokens for what it has nothing to do with. */
const SHOWN_PER_MEMORY = 3

const comparedHeads = headsOfEachTier(PER_TIER)

/** Those that the memories may be about: of somebody who occurs in them, the nearest by their words first. */
function factsNear(known: readonly FactHead[], memories: readonly BatchMemory[]): FactHead[] {
  const words = new Set(memories.flatMap(({ author, content }) => contentWords(`${author ?? ''} ${content}`)))
  const shared = (text: string): number => contentWords(text).filter((word) => words.has(word)).length
  return known
    .filter(({ subject, headTier }) => headTier !== ENDED_TIER && (subject === '' || shared(subject) > 0))
    .map((fact) => ({ fact, near: shared(`${fact.value} ${topicIn(fact.slot)}`) }))
    .sort((a, b) => b.near - a.near || byTier(a.fact, b.fact))
    .slice(0, Math.min(MAX_SHOWN, 1 + SHOWN_PER_MEMORY * memories.length))
    .map(({ fact }) => fact)
}
