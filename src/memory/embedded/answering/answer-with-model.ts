// How far each level looks before it answers: one call, a call that rewrites the question before it, or a few steps in
// which the model says what to look for next.
import type { z } from 'zod'
import { analyseQuestion } from '../analyse.ts'
import { answerFromPassages } from '../answer.ts'
import { nothingOn } from '../asking/known.ts'
import type { Searcher } from '../embeddings/searcher.ts'
import type { EngineAnswer, LanguageModel, Question, ReadHandle, ReasoningLevel } from '../port.ts'
import { addUsage, inSlices, ModelError, NOTHING_FOUND, noUsage, shorten, tokensAtMost } from '../port.ts'
import { type Hit, newerFirst } from '../search.ts'
import { memoriesAt, mindSize, withCorrections } from '../search-store.ts'
import { LEFT_OUT, withoutPlanted } from './planted.ts'
import type { Beside, Item } from './prompt.ts'
import { factItems, giveItems, INSTRUCTIONS, itemOfMemory, openingOf } from './prompt.ts'
import { type Against, answerFrom, Searches, sourced, stepFrom } from './reply.ts'

export interface Answering {
  model: LanguageModel
  deadlineMs: number
  /** Of memories that it reads at the standard level; the others read twice as many. */
  tokens: number
}

interface Asked {
  db: ReadHandle
  mindKey: number
  question: Question
  searcher: Searcher
  signal: AbortSignal
}

/** Where the model can't be used the passages are given as without one. @throws what the signal aborted with, if it did */
export async function answerWithModel(answering: Answering, asked: Asked): Promise<EngineAnswer> {
  const { db, mindKey, question, searcher, signal } = asked
  const asking = beginAsking(answering, asked)
  const [size] = await mindSize(db, mindKey)
  if (!size)
    return { answer: NOTHING_FOUND, sources: [], found: false, model: null, degraded: false, usage: [] }
  try {
    const read = await LEVELS[question.level](asking)
    const answered = await searcher.share(() =>
      read?.reply.isAnswered
        ? sourced(read.reply, read.shown, asking.terms, signal)
        : nothingOn(db, mindKey, question.text, signal)
    )
    const model = read ? answering.model.name : null
    const level = read?.addsNothing ? 'standard' : question.level
    return { ...answered, level, model, degraded: searcher.isDegraded(), usage: asking.usage() }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const passages = await answerFromPassages(db, mindKey, question.text, question.level, signal, searcher)
    return { ...passages, model: null, degraded: true, usage: asking.usage() }
  }
}

const ANSWER_TOKENS = 2_000
const SEARCH_TOKENS = 500

/** The rest is for the passages that are given if the model fails. */
const MODEL_SHARE = 0.75
const LEAST_SHARE = 0.05

type Asking = ReturnType<typeof beginAsking>

/** One question to a model, in as many calls as its level takes: what they have taken, and the time that they have left. */
function beginAsking({ model, deadlineMs, tokens }: Answering, asked: Asked) {
  const endsAt = performance.now() + MODEL_SHARE * deadlineMs
  let taken = noUsage('ask')
  return {
    ...asked,
    terms: new Set(analyseQuestion(asked.question.text).terms),
    maxInputTokens: model.maxInputTokens,
    mostTokens: tokens * TOKENS_AT_MOST,
    usage: () => [...(taken.calls === 0 ? [] : [taken]), ...asked.searcher.usage()],
    /** @throws ModelError also where the time is over */
    async ask<T>(
      answer: { name: string; schema: z.ZodType<T> },
      {
        maxOutputTokens = ANSWER_TOKENS,
        ...texts
      }: { system: string; user: string; maxOutputTokens?: number }
    ): Promise<T> {
      const timeoutMs = endsAt - performance.now()
      // What can't be answered in so little time would only count against the gateway.
      if (timeoutMs <= LEAST_SHARE * deadlineMs) throw new ModelError('timeout', noUsage('ask'))
      const limits = { maxOutputTokens, timeoutMs, signal: asked.signal }
      try {
        const { value, usage } = await model.answer({ purpose: 'ask', ...texts, answer, ...limits })
        taken = addUsage(taken, usage)
        return value
      } catch (error) {
        if (error instanceof ModelError) taken = addUsage(taken, error.usage)
        throw error
      }
    }
  }
}

const STANDARD_HITS = 25
const ENHANCED_HITS = 50
const STEP_HITS = 20
const MAX_STEPS = 4
const MAX_SEARCHES = 3
const MAX_SEARCH_LENGTH = 200

/** What the model replies, with what it was shown; nothing where there is nothing to show. */
const LEVELS: Readonly<Record<ReasoningLevel, (asking: Asking) => ReturnType<typeof finish>>> = {
  async standard(asking) {
    const { hits } = await asking.searcher.search(asking.question.text, STANDARD_HITS)
    return finish(asking, hits)
  },
  async enhanced(asking) {
    const { searcher, question } = asking
    const user = openingOf(question.text, asking.maxInputTokens)
    const prompt = { system: INSTRUCTIONS.rewrite, user, maxOutputTokens: SEARCH_TOKENS }
    const { searches } = await asking.ask({ name: 'memory_searches', schema: Searches }, prompt)
    const { hits: own } = await searcher.search(question.text, ENHANCED_HITS)
    const hits = interleaved([own, await searchAll(searcher, tidy(searches), ENHANCED_HITS)])
    const standard = await searcher.share(() => itemsOf(asking, own.slice(0, STANDARD_HITS), 1))
    return finish(asking, hits.slice(0, ENHANCED_HITS), { standard })
  },
  async deep(asking) {
    const { db, mindKey, searcher, question } = asking
    let { hits } = await searcher.search(question.text, STANDARD_HITS)
    const searches: string[] = []
    const known = {
      facts: await factItems(db, mindKey, asking.terms),
      searches,
      standard: await searcher.share(() => itemsOf(asking, hits, 1))
    }
    for (let step = 1; step < MAX_STEPS; step += 1) {
      const read = await replyTo(asking, hits, known, 'step', stepFrom)
      if (read.reply.searches.length === 0) return read
      const wanted = tidy(read.reply.searches).filter((search) => !searches.includes(search))
      if (wanted.length === 0) break
      hits = interleaved([hits, await searchAll(searcher, wanted, STEP_HITS)])
      searches.push(...wanted)
    }
    return finish(asking, hits, known)
  }
}

async function finish(asking: Asking, hits: readonly Hit[], known: Partial<Known> = {}) {
  const facts = known.facts ?? (await factItems(asking.db, asking.mindKey, asking.terms))
  // "What do you know about me?" finds no memory by its words, and has an answer all the same.
  if (hits.length === 0 && facts.length === 0) return undefined
  return replyTo(asking, hits, { searches: [], ...known, facts }, 'answer', answerFrom)
}

/** What stands beside the memories that were found, and what the standard level would have read: no more costs no more. */
interface Known extends Beside {
  standard?: readonly Item[]
}

async function replyTo<T>(
  asking: Asking,
  hits: readonly Hit[],
  known: Known,
  wanted: 'answer' | 'step',
  schemaFor: (asked: Against) => z.ZodType<T>
) {
  const { searcher, maxInputTokens, question } = asking
  const { standard } = known
  const system = INSTRUCTIONS[wanted]
  const { user, shown } = await searcher.share(async () => {
    const items = await itemsOf(asking, hits, standard ? 2 : 1)
    return giveItems(question.text, items, known, system, maxInputTokens)
  })
  const schema = schemaFor({ shown, question: question.text })
  const reply = await asking.ask({ name: `memory_${wanted}`, schema }, { system, user })
  const isOfStandard = ([label, { seq }]: [string, Item]): boolean =>
    label.startsWith('f') || standard?.some((item) => item.seq === seq) === true
  return { reply, shown, addsNothing: standard !== undefined && [...shown].every(isOfStandard) }
}

/** As many of the hits and their neighbours as the budget has room for, in the order of time. */
async function itemsOf(asking: Asking, hits: readonly Hit[], budgets: number): Promise<Item[]> {
  const { db, mindKey, terms, mostTokens, signal } = asking
  const pause = inSlices(signal)
  const items: Item[] = []
  let left = mostTokens * budgets
  const found = await withNeighbours(db, mindKey, hits)
  for (const told of await withCorrections(db, mindKey, found)) {
    if (left <= 0) break
    await pause()
    const item = await itemOfMemory(told, terms, pause)
    left -= tokensAtMost(item.line)
    items.push(item)
  }
  return items.sort((a, b) => newerFirst(b, a))
}

/** Of the best hits the turns around them, too: a neighbour stands behind the hits that are better by so many ranks. */
async function withNeighbours(db: ReadHandle, mindKey: number, hits: readonly Hit[]) {
  const places = new Map(hits.map(({ seq, turn }, rank) => [seq, { session: seq - turn, rank }]))
  for (const [rank, { seq, turn }] of hits.slice(0, BEST_HITS).entries()) {
    for (const distance of [1, -1, 2, -2]) {
      const place = { session: seq - turn, rank: rank + RANKS_BEHIND * Math.abs(distance) }
      if (!places.has(seq + distance)) places.set(seq + distance, place)
    }
  }
  const memories = await memoriesAt(db, mindKey, places.keys())
  const rankOf = ({ seq }: { seq: number }): number => places.get(seq)?.rank ?? 0
  return memories
    .filter(({ seq, turn }) => places.get(seq)?.session === seq - turn)
    .sort((a, b) => rankOf(a) - rankOf(b) || a.seq - b.seq)
}

const BEST_HITS = 10
const RANKS_BEHIND = 8
/** `tokensAtMost` is three times what words of a language take. */
const TOKENS_AT_MOST = 3

/** A search is the model's text, made of what others stored. */
const tidy = (searches: readonly string[]): string[] =>
  [...new Set(searches.map((search) => shorten(withoutPlanted(search), MAX_SEARCH_LENGTH)))]
    .filter((search) => search !== '' && !search.includes(LEFT_OUT))
    .slice(0, MAX_SEARCHES)

async function searchAll(searcher: Searcher, searches: readonly string[], limit: number): Promise<Hit[]> {
  const found: Hit[][] = []
  for (const search of searches) found.push((await searcher.search(search, limit)).hits)
  return interleaved(found)
}

/** The best of each by turns, each memory once. */
function interleaved(lists: readonly (readonly Hit[])[]): Hit[] {
  const ranked = lists
    .flatMap((hits) => hits.map((hit, rank) => ({ hit, rank })))
    .sort((a, b) => a.rank - b.rank)
  return [...new Map(ranked.map(({ hit }) => [hit.seq, hit])).values()]
}
