// Answers a question without a language model: the passages that most likely hold the answer, quoted and cited.
import { type AnalysedQuestion, analyseQuestion } from './analyse.ts'
import type { Asked } from './asking/asked.ts'
import { choose } from './asking/choose.ts'
import { gather } from './asking/gather.ts'
import { factAsked, nothingOn, stated } from './asking/known.ts'
import type { Found } from './asking/readings.ts'
import { openSearch, type Searcher } from './embeddings/searcher.ts'
import { datedExcerptOf } from './excerpt.ts'
import type { EngineAnswer, Pause, ReadHandle, ReasoningLevel } from './port.ts'
import { inSlices } from './port.ts'
import { memoriesAt, withCorrections } from './search-store.ts'

type PassageAnswer = Pick<EngineAnswer, 'answer' | 'sources' | 'found' | 'level'>

/**
 * How many passages each level quotes. The deepest reads on: of conversations, what the first passages name led to less
 * of what was asked for than the next best passages hold.
 */
const PASSAGES: Readonly<Record<ReasoningLevel, number>> = { standard: 5, enhanced: 10, deep: 15 }

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
    if (passages.length === 0) return nothingOn(db, mindKey, question, signal)
    const isWhole = asked.period !== undefined && asked.isOpen
    const count = isWhole ? MOST_OF_PERIOD : PASSAGES[level]
    const chosen = passages.slice(0, count).map(({ hit }) => hit)
    const hits = historyLast(await withCorrections(db, mindKey, chosen), asked).slice(0, count)
    const fact = await factAsked(db, mindKey, asked, passages)
    const told = fact ? await ledBy(fact, hits, db, mindKey) : hits
    const replaced = new Set([...earlier].map(({ hit }) => hit.seq))
    const quoted = await quote(analysed, told, replaced, pause)
    const answer = `${fact ? stated(fact) : ''}${quoted.answer}`
    return { ...quoted, answer, level: isWhole ? 'standard' : levelOf(hits.length) }
  })
}

/** The level that would have told as much. */
const levelOf = (quoted: number): ReasoningLevel =>
  quoted <= PASSAGES.standard ? 'standard' : quoted <= PASSAGES.enhanced ? 'enhanced' : 'deep'

/** What goes on in a time is told whole, as far as there is room. */
const MOST_OF_PERIOD = 30

type Quoted = Pick<Found, 'seq' | 'memoryId' | 'content' | 'occurredAt' | 'supersededBy'>

/** What was corrected stands behind what holds, but where it is asked what was. */
const historyLast = <Told extends Quoted>(told: readonly Told[], { isHistory }: Asked): Told[] =>
  isHistory
    ? [...told]
    : told.toSorted((a, b) => Number(a.supersededBy !== null) - Number(b.supersededBy !== null))

/** The memory that a fact stands in leads, whatever the search thinks of it: Recall states it, too. */
async function ledBy(fact: { seq: number }, hits: readonly Quoted[], db: ReadHandle, mindKey: number) {
  const lead = hits.find(({ seq }) => seq === fact.seq)
  const others = hits.filter((hit) => hit !== lead)
  return [...(lead ? [lead] : await memoriesAt(db, mindKey, [fact.seq])), ...others]
}

/** A numbered line for each passage: what is stored has no line ends left, so that none of it can pass for another. */
async function quote(
  question: AnalysedQuestion,
  hits: readonly Quoted[],
  earlier: ReadonlySet<number>,
  pause: Pause
) {
  const terms = new Set(question.terms)
  const sources: PassageAnswer['sources'] = []
  const lines = ['What this Mind holds on it, the likeliest first:']
  let left = MAX_ANSWER_LENGTH - 300
  for (const hit of hits) {
    const { memoryId, occurredAt } = hit
    const excerpt = await datedExcerptOf(hit, terms, pause)
    const isEarlier = hit.supersededBy !== null || earlier.has(hit.seq)
    const day = `${occurredAt.slice(0, 10)}${isEarlier ? ' (earlier)' : ''}`
    const line = `[${sources.length + 1}] ${day}, ${memoryId}: “${excerpt}”`
    left -= line.length + 1
    if (left < 0) break
    lines.push(line)
    sources.push({ memoryId, excerpt, occurredAt })
  }
  return { answer: lines.join('\n'), sources, found: true }
}
