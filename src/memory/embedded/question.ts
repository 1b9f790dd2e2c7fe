// A question as the ranking sees it.
import { type AnalysedQuestion, analyseQuestion, type QuestionWord } from './analyse.ts'
import { type Concept, conceptsOf } from './concepts.ts'
import { datesIn, type PartialDate } from './dates.ts'
import { fold } from './fold.ts'
import type { Cue } from './traits.ts'

export interface Question {
  concepts: readonly Concept[]
  /** The one author of the Mind whom it names, folded; null for none or several. */
  author: string | null
  dates: readonly PartialDate[]
  cues: ReadonlySet<Cue>
}

/** Whoever the question names and isn't one of the authors is a word like any other. */
export function readQuestion(question: string, authors: readonly string[]): Question {
  const analysed = analyseQuestion(question)
  const named = new Set<string>()
  const names = new Set<QuestionWord>()
  for (const word of analysed.words) {
    for (const author of authors) {
      if (!isNameOf(word, author)) continue
      named.add(author)
      names.add(word)
    }
  }
  const [author = null] = named
  return {
    concepts: aboutOf(question, analysed, names),
    author: named.size === 1 ? author : null,
    dates: datesIn(question).dates,
    cues: analysed.cues
  }
}

/** A name says who speaks, and stands in what is said to them; it is looked for only where there is nothing else. */
function aboutOf(question: string, analysed: AnalysedQuestion, names: ReadonlySet<QuestionWord>): Concept[] {
  const concepts = conceptsOf(question, analysed, (word) => names.has(word))
  return concepts.length > 0 ? concepts : conceptsOf(question, analysed, () => false)
}

const SHORTEST_NICKNAME = 3

/** `Melanie` by her name, any part of it, or the beginning that she is called by: `Mel`. */
function isNameOf({ text, isName }: QuestionWord, author: string): boolean {
  const word = fold(text)
  return author.split(' ').some((part) => {
    if (word === part) return true
    const isBeginning =
      word.length >= SHORTEST_NICKNAME && word.length * 2 >= part.length && part.startsWith(word)
    return isName && isBeginning
  })
}
