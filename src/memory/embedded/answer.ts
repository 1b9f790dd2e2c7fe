// Answers a question without a language model: the passages that most likely hold the answer, quoted and cited.
import { type AnalysedQuestion, analyseQuestion } from './analyse.ts'
import { choose } from './asking/choose.ts'
import { gather } from './asking/gather.ts'
import type { Found } from './asking/readings.ts'
import { splitAuthor } from './author.ts'
import { openSearch, type Searcher } from './embeddings/searcher.ts'
import { datedExcerptOf } from './excerpt.ts'
import type { EngineAnswer, Pause, ReadHandle, ReasoningLevel } from './port.ts'
import { inSlices, NOTHING_FOUND } from './port.ts'
import { searchMind } from './search.ts'

type PassageAnswer = Pick<EngineAnswer, 'answer' | 'sources' | 'found' | 'level'>

/** How many passages each level quotes, and how many more from what the first ones name. */
const BREADTH: Readonly<Record<ReasoningLevel, { passages: number; followed: number }>> = {
  standard: { passages: 5, followed: 0 },
  enhanced: { passages: 10, followed: 0 },
  deep: { passages: 10, followed: 5 }
}

const CONSIDERED = 50
export const MAX_ANSWER_LENGTH = 8_000

/** Says so when the Mind holds nothing on the question. Looks at the signal between its slices. */
export async function answerFromPassages(
  db: ReadHandle,
  mindKey: number,
  question: string,
  level: ReasoningLevel,
  signal: AbortSignal,
  searcher: Searcher = openSearch()(db, mindKey, signal)
): Promise<PassageAnswer> {
  const analysed = analyseQuestion(question)
  const result = await searcher.search(question, CONSIDERED)
  return searcher.share(async () => {
    const pause = inSlices(signal)
    const { asked, readings, inPeriod } = await gather(db, mindKey, question, result, signal)
    const ofPeriod = choose(inPeriod ?? readings, asked)
    // What is asked of a day may be told on another one.
    const isTold = ofPeriod.passages.length > 0 || inPeriod === undefined || asked.isOpen
    const { passages, earlier } = isTold ? ofPeriod : choose(readings, asked)
    if (passages.length === 0) return { answer: NOTHING_FOUND, sources: [], found: false }
    const { passages: most, followed } = BREADTH[level]
    const first = passages.slice(0, asked.period && asked.isOpen ? MOST_OF_PERIOD : most)
    const hits = first.map(({ hit }) => hit)
    const further =
      followed === 0 ? [] : await follow(db, mindKey, analysed, hits, { limit: followed, signal })
    const told = { first: hits, earlier: new Set([...earlier].map(({ hit }) => hit)), further }
    return { ...(await quote(analysed, told, pause)), level: levelOf(first.length, further.length) }
  })
}

/** The level that would have told as much. */
function levelOf(quoted: number, followed: number): ReasoningLevel {
  if (followed > 0) return 'deep'
  return quoted > BREADTH.standard.passages && quoted <= BREADTH.enhanced.passages ? 'enhanced' : 'standard'
}

/** What goes on in a time is told whole, as far as there is room. */
const MOST_OF_PERIOD = 30

async function follow(
  db: ReadHandle,
  mindKey: number,
  question: AnalysedQuestion,
  first: readonly Found[],
  { limit, signal }: { limit: number; signal: AbortSignal }
): Promise<Found[]> {
  const known = new Set(first.map(({ seq }) => seq))
  const named = await namedIn(question, first, inSlices(signal))
  const { hits } = await searchMind(db, mindKey, named, { limit: first.length + limit, signal })
  return hits.filter(({ seq }) => !known.has(seq)).slice(0, limit)
}

interface Told {
  first: readonly Found[]
  /** Those of the first that hold no longer. */
  earlier: ReadonlySet<Found>
  further: readonly Found[]
}

/** A numbered line for each passage: what is stored has no line ends left, so that none of it can pass for another. */
async function quote(question: AnalysedQuestion, { first, earlier, further }: Told, pause: Pause) {
  const terms = new Set(question.terms)
  const sources: PassageAnswer['sources'] = []
  const lines = ['What this Mind holds on it, the likeliest first:']
  let left = MAX_ANSWER_LENGTH - FURTHER.length - 100
  for (const hit of [...first, ...further]) {
    const { memoryId, occurredAt } = hit
    const excerpt = await datedExcerptOf(hit, terms, pause)
    const day = `${occurredAt.slice(0, 10)}${earlier.has(hit) ? ' (earlier)' : ''}`
    const line = `[${sources.length + 1}] ${day}, ${memoryId}: “${excerpt}”`
    left -= line.length + 1
    if (left < 0) break
    if (hit === further[0]) lines.push(FURTHER)
    lines.push(line)
    sources.push({ memoryId, excerpt, occurredAt })
  }
  return { answer: lines.join('\n'), sources, found: true }
}

const FURTHER = 'On what these name:'

const MAX_NAMES = 3
const READ_LENGTH = 1_000

/** The first names in them that the question doesn't say; where some script has no capitals, more of the same. */
async function namedIn(
  question: AnalysedQuestion,
  passages: readonly Found[],
  pause: Pause
): Promise<string> {
  const authors = passages.flatMap(({ author }) => (author === null ? [] : analyseQuestion(author).terms))
  const known = new Set([...question.terms, ...authors])
  const names: string[] = []
  for (const { content } of passages) {
    await pause()
    const { body } = splitAuthor(content.slice(0, READ_LENGTH))
    for (const { text, terms, isName } of analyseQuestion(body).words) {
      if (!isName || terms.some((term) => known.has(term))) continue
      for (const term of terms) known.add(term)
      names.push(text)
    }
    if (names.length >= MAX_NAMES) break
  }
  if (names.length > 0) return names.slice(0, MAX_NAMES).join(' ')
  return splitAuthor(passages[0]?.content ?? '').body.slice(0, 300)
}
