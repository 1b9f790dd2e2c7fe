// What passages name that a question doesn't: where a second search goes on.
import type { Pause } from '../../slices.ts'
import { type AnalysedQuestion, analyseQuestion } from './analyse.ts'
import { splitAuthor } from './author.ts'
import type { Hit } from './search.ts'

const MAX_FOLLOW_UPS = 3
/** Of a long memory its beginning names enough. */
const READ_LENGTH = 1_000

/** The questions to search for next, the most promising first. */
export async function followUpsOf(
  question: AnalysedQuestion,
  passages: readonly Hit[],
  pause: Pause
): Promise<string[]> {
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
