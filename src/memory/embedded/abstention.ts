// Whether what was found answers the question at all. Silence is worse than a passage too many, so it takes a lot: of
// annotated questions that had an answer the thresholds silence about one in forty, and half of those that ask of one
// speaker what another one told. They are in the unit of `weights.ts` and want a look when those are fitted anew.
import { type AnalysedQuestion, analyse } from './analyse.ts'
import { splitAuthor } from './author.ts'
import { fold } from './fold.ts'
import type { Pause } from './port.ts'
import type { Hit, SearchResult } from './search.ts'
import { hasUnspaced } from './words.ts'

/** Below this, what is asked about one speaker was said by another: their story, not this one's. */
const LEAST_SPEAKER_MARGIN = -0.8
/** Less of the question than this in any of the best memories is chance. */
const LEAST_COVERAGE = 0.15
/** Whatever its words, what is so similar to the question in meaning speaks of it. */
const ENOUGH_SIMILARITY = 0.3
/** A question of many words may be covered by few of them. */
const ENOUGH_WORDS = 3

const READ = 10
const READ_LENGTH = 2_000
const LONGEST_GREETING = 12

export async function holdsAnswer(
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
  const { terms } = analyse(content.slice(0, READ_LENGTH))
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
  const text = ` ${fold(splitAuthor(content).body.slice(0, READ_LENGTH))} `
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
