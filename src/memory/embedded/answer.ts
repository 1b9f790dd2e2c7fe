// Answers a question without a language model: the passages that most likely hold the answer, quoted and cited.
import { type AnalysedQuestion, analyse, analyseQuestion } from './analyse.ts'
import { splitAuthor } from './author.ts'
import { openSearch, type Searcher } from './embeddings/searcher.ts'
import { datedExcerptOf } from './excerpt.ts'
import { fold } from './fold.ts'
import type { EngineAnswer, Pause, ReadHandle, ReasoningLevel } from './port.ts'
import { inSlices, NOTHING_FOUND } from './port.ts'
import { type Hit, type SearchResult, searchMind } from './search.ts'
import { hasUnspaced } from './words.ts'

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
    if (!(await holdsAnswer(analysed, result, pause)))
      return { answer: NOTHING_FOUND, sources: [], found: false }
    const { passages, followed } = BREADTH[level]
    const first = result.hits.slice(0, passages)
    const further =
      followed === 0 ? [] : await follow(db, mindKey, analysed, first, { limit: followed, signal })
    return quote(analysed, first, further, pause)
  })
}

async function follow(
  db: ReadHandle,
  mindKey: number,
  question: AnalysedQuestion,
  first: readonly Hit[],
  { limit, signal }: { limit: number; signal: AbortSignal }
): Promise<Hit[]> {
  const known = new Set(first.map(({ seq }) => seq))
  const found = new Map<number, Hit>()
  const followUps = await followUpsOf(question, first, inSlices(signal))
  const share = Math.ceil(limit / Math.max(followUps.length, 1))
  for (const followUp of followUps) {
    const { hits } = await searchMind(db, mindKey, followUp, { limit: first.length + limit, signal })
    const fresh = hits.filter(({ seq }) => !known.has(seq) && !found.has(seq)).slice(0, share)
    for (const hit of fresh) found.set(hit.seq, hit)
  }
  return [...found.values()].slice(0, limit)
}

/** A numbered line for each passage: what is stored has no line ends left, so that none of it can pass for another. */
async function quote(
  question: AnalysedQuestion,
  first: readonly Hit[],
  further: readonly Hit[],
  pause: Pause
) {
  const terms = new Set(question.terms)
  const sources: PassageAnswer['sources'] = []
  const lines = ['What this Mind holds on it, the likeliest first:']
  let left = MAX_ANSWER_LENGTH - FURTHER.length - 100
  for (const hit of [...first, ...further]) {
    const { memoryId, occurredAt } = hit
    const excerpt = await datedExcerptOf(hit, terms, pause)
    const line = `[${sources.length + 1}] ${occurredAt.slice(0, 10)}, ${memoryId}: “${excerpt}”`
    left -= line.length + 1
    if (left < 0) break
    if (hit === further[0]) lines.push(FURTHER)
    lines.push(line)
    sources.push({ memoryId, excerpt, occurredAt })
  }
  return { answer: lines.join('\n'), sources, found: true }
}

const FURTHER = 'On what these name:'

const MAX_FOLLOW_UPS = 3
const READ_LENGTH = 1_000

async function followUpsOf(question: AnalysedQuestion, passages: readonly Hit[], pause: Pause) {
  const asked = new Set(question.terms)
  const authors = new Set(
    passages.flatMap(({ author }) => (author === null ? [] : analyseQuestion(author).terms))
  )
  const weights = new Map<string, { text: string; weight: number }>()
  for (const [rank, { content }] of passages.entries()) {
    await pause()
    const { body } = splitAuthor(content.slice(0, READ_LENGTH))
    for (const { text, terms, isName } of analyseQuestion(body).words) {
      const [main] = terms
      if (main === undefined || !isName || terms.some((term) => asked.has(term) || authors.has(term)))
        continue
      const weight = (weights.get(main)?.weight ?? 0) + 1 / (rank + 1)
      weights.set(main, { text, weight })
    }
  }
  const names = [...weights.values()].sort((a, b) => b.weight - a.weight).map(({ text }) => text)
  if (names.length > 0) return names.slice(0, MAX_FOLLOW_UPS)
  // Nothing is written like a name (some scripts have no capitals): more of the same.
  return passages
    .slice(0, 1)
    .map(({ content }) => splitAuthor(content.slice(0, READ_LENGTH)).body.slice(0, 300))
}

// Whether what was found answers the question at all. Silence is worse than a passage too many, so it takes a lot: of
// annotated questions that had an answer the thresholds silence about one in forty, and half of those that ask of one
// speaker what another one told. They are in the unit of `weights.ts` and want a look when those are fitted anew.

/** Below this, what is asked about one speaker was said by another: their story, not this one's. */
const LEAST_SPEAKER_MARGIN = -0.8
/** Less of the question than this in any of the best memories is chance. */
const LEAST_COVERAGE = 0.15
/** Whatever its words, what is so similar to the question in meaning speaks of it. */
const ENOUGH_SIMILARITY = 0.3
/** A question of many words may be covered by few of them. */
const ENOUGH_WORDS = 3

const READ = 10
const LOOKED_AT = 2_000
const LONGEST_GREETING = 12

async function holdsAnswer(
  question: AnalysedQuestion,
  { hits, evidence }: SearchResult,
  pause: Pause
): Promise<boolean> {
  const best = hits.slice(0, READ)
  if (best.length === 0) return false
  let isAbout = evidence.coverage >= LEAST_COVERAGE || evidence.similarity >= ENOUGH_SIMILARITY
  for (const hit of best) {
    await pause()
    isAbout ||= speaksOf(hit, question)
  }
  if (!isAbout) return false
  const { named, speakerMargin } = evidence
  if (named === null || speakerMargin >= LEAST_SPEAKER_MARGIN) return true
  return best.some((hit) => tellsAbout(hit, named))
}

function speaksOf({ content }: Hit, { words }: AnalysedQuestion): boolean {
  const { terms } = analyse(content.slice(0, LOOKED_AT))
  return words.filter((word) => word.terms.some((term) => terms.has(term))).length >= ENOUGH_WORDS
}

/** Before a name, it says that its bearer is being spoken to. */
const GREETED = /[^\p{L}\p{N}](?:hey|hi|hello|thanks|thank you|dear),? $/u
/** A name between these stands apart from its sentence; but at the beginning of a note it is what the note is about. */
const SENTENCE_BEFORE = /(?:^|[.!?;:—–-]) $/
const COMMA_BEFORE = /, $/
const PAUSE_AFTER = /^ ?[,.!?;:—–-]/

/** Whether somebody else speaks about them, not to them: `Ada is away` and `Ada, the cook, is away`, not `Thanks, Ada!`. */
function tellsAbout({ author, content }: Hit, named: string): boolean {
  if (author !== null && fold(author) === named) return false
  const text = ` ${fold(splitAuthor(content).body.slice(0, LOOKED_AT))} `
  const parts = named.split(' ').filter((part) => part.length > 1)
  return parts.some((part) => {
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
      const before = text.slice(Math.max(0, at - LONGEST_GREETING), at)
      const after = text.slice(at + part.length, at + part.length + 2)
      const isWord = hasUnspaced(part) || (/[^\p{L}\p{N}]$/u.test(before) && /^[^\p{L}\p{N}]/u.test(after))
      const standsApart = COMMA_BEFORE.test(before) || (author !== null && SENTENCE_BEFORE.test(before))
      const isAddressed = GREETED.test(before) || (standsApart && PAUSE_AFTER.test(after))
      if (isWord && !isAddressed) return true
    }
    return false
  })
}
