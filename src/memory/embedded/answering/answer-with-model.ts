// How far each level looks before it answers: one call, a call that rewrites the question before it, or a few steps in
// which the model says what to look for next.
import { analyseQuestion } from '../analyse.ts'
import { answerFromPassages } from '../answer.ts'
import type { Searcher } from '../embeddings/searcher.ts'
import type { EngineAnswer, ReasoningLevel } from '../port.ts'
import { inSlices, ModelError, NOTHING_FOUND, shorten } from '../port.ts'
import type { Hit } from '../search.ts'
import { mindSize } from '../search-store.ts'
import { type Answering, type Asked, Asking } from './asking.ts'
import { factItems, type Item, isLong, itemOfHit } from './items.ts'
import { LEFT_OUT, withoutPlanted } from './planted.ts'
import type { Given, Known } from './prompt.ts'
import { ANSWER_TEXT, giveItems, openingOf, REWRITE_TEXT, STEP_TEXT } from './prompt.ts'
import { answerFrom, Searches, sourced, stepFrom } from './reply.ts'

const SEARCH_TOKENS = 500

const STANDARD_HITS = 25
const ENHANCED_HITS = 50
const STEP_HITS = 20
const MAX_STEPS = 4
const MAX_SEARCHES = 3
const MAX_SEARCH_LENGTH = 200
/** Long memories that are searched for their best part; more don't fit into a call. */
const MAX_LONG = 10

type Reply = ReturnType<ReturnType<typeof answerFrom>['parse']>
interface Read {
  reply: Reply
  shown: Given['shown']
}

/** What the model replies, with what it was shown; nothing where there is nothing to show. */
const LEVELS: Readonly<Record<ReasoningLevel, (asking: Asking) => Promise<Read | undefined>>> = {
  async standard(asking) {
    const { searcher, question } = asking.asked
    const { hits } = await searcher.search(question.text, STANDARD_HITS)
    return finish(asking, hits)
  },
  async enhanced(asking) {
    const { searcher, question } = asking.asked
    const user = openingOf(question.text, asking.maxInputTokens)
    const prompt = { system: REWRITE_TEXT, user, maxOutputTokens: SEARCH_TOKENS }
    const { searches } = await asking.ask('memory_searches', Searches, prompt)
    const hits = await searchAll(searcher, [question.text, ...tidy(searches)], ENHANCED_HITS)
    return finish(asking, hits.slice(0, ENHANCED_HITS))
  },
  async deep(asking) {
    const { db, mindKey, searcher, question } = asking.asked
    const facts = await factItems(db, mindKey)
    let hits = (await searcher.search(question.text, STANDARD_HITS)).hits
    const searches: string[] = []
    for (let step = 1; step < MAX_STEPS; step += 1) {
      const known = { hits, facts, searches }
      const { user, shown } = await searcher.share(() => give(asking, known, STEP_TEXT))
      const schema = stepFrom(shown, STEP_TEXT)
      const reply = await asking.ask('memory_step', schema, { system: STEP_TEXT, user })
      if (reply.searches.length === 0) return { reply, shown }
      const wanted = tidy(reply.searches).filter((search) => !searches.includes(search))
      if (wanted.length === 0) break
      hits = interleaved([hits, await searchAll(searcher, wanted, STEP_HITS)])
      searches.push(...wanted)
    }
    return finish(asking, hits, { facts, searches })
  }
}

async function finish(asking: Asking, hits: readonly Hit[], more: Partial<Known<Hit>> = {}) {
  const { db, mindKey, searcher } = asking.asked
  const { facts = await factItems(db, mindKey), searches = [] } = more
  // "What do you know about me?" finds no memory by its words, and has an answer all the same.
  if (hits.length === 0 && facts.length === 0) return undefined
  const { user, shown } = await searcher.share(() => give(asking, { hits, facts, searches }, ANSWER_TEXT))
  const schema = answerFrom(shown, ANSWER_TEXT)
  const reply = await asking.ask('memory_answer', schema, { system: ANSWER_TEXT, user })
  return { reply, shown }
}

async function give({ asked, maxInputTokens, read }: Asking, found: Known<Hit>, system: string) {
  const { text: question } = asked.question
  const terms = new Set(analyseQuestion(question).terms)
  const pause = inSlices(asked.signal)
  const items: Item[] = []
  let long = 0
  for (const hit of found.hits) {
    const known = read.get(hit.seq)
    if (isLong(hit)) long += 1
    await pause()
    const item = known ?? (await itemOfHit(hit, long > MAX_LONG ? undefined : terms, pause))
    read.set(hit.seq, item)
    items.push(item)
  }
  return giveItems(question, { ...found, hits: items }, system, maxInputTokens)
}

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
  const found = new Map<number, Hit>()
  const longest = Math.max(...lists.map(({ length }) => length))
  for (let rank = 0; rank < longest; rank += 1) {
    for (const list of lists) {
      const hit = list[rank]
      if (hit && !found.has(hit.seq)) found.set(hit.seq, hit)
    }
  }
  return [...found.values()]
}

// Where the model can't be used the passages are given that would have been without one.

/** @throws what the signal aborted with, if it did */
export async function answerWithModel(answering: Answering, asked: Asked): Promise<EngineAnswer> {
  const { db, mindKey, question, searcher, signal } = asked
  const asking = new Asking(answering, asked)
  const [size] = await mindSize(db, mindKey)
  if (!size) return { ...NOTHING, model: null, degraded: false, usage: [] }
  try {
    const read = await LEVELS[question.level](asking)
    const terms = new Set(analyseQuestion(question.text).terms)
    const answered = read
      ? await searcher.share(() => sourced(read.reply, read.shown, terms, signal))
      : NOTHING
    const model = read ? answering.model.name : null
    return { ...answered, model, degraded: searcher.isDegraded(), usage: asking.usage }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const passages = await answerFromPassages(db, mindKey, question.text, question.level, signal, searcher)
    return { ...passages, model: null, degraded: true, usage: asking.usage }
  }
}

const NOTHING = { answer: NOTHING_FOUND, sources: [] }
