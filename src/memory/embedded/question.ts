// A question as the ranking sees it.
import { type AnalysedQuestion, analyseQuestion, type QuestionWord } from './analyse.ts'
import { datesIn } from './dates.ts'
import { fold } from './fold.ts'
import { wordGroups, wordKinds } from './related-words.ts'
import { latinStems } from './terms.ts'
import { SHARES } from './weights.ts'
import { wordFamilies, wordList } from './word-lists.ts'

export type Question = ReturnType<typeof readQuestion>
export type Concept = ReturnType<typeof conceptsOf>[number]

/** Whoever the question names and isn't one of the authors is a word like any other. */
export function readQuestion(question: string, authors: readonly string[]) {
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
  const { dates, words } = datesIn(question)
  return {
    concepts: conceptsOf(analysed, names, words),
    /** The one author of the Mind whom it names, folded; null for none or several. */
    author: named.size === 1 ? author : null,
    dates,
    asksWhen: analysed.asksWhen
  }
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

const MAX_CONCEPTS = 32
/** In a question of more words than these each finds enough by itself. */
const MAX_RELATED_CONCEPTS = 16

/**
 * Leaves out dates, which are compared as such, and the names of authors: they say who speaks, and stand in what is said
 * to them; they are looked for only where there is nothing else.
 */
function conceptsOf(
  analysed: AnalysedQuestion,
  names: ReadonlySet<QuestionWord>,
  dateWords: ReadonlySet<string>
) {
  const all = analysed.words.filter(
    ({ text, terms }) => !dateWords.has(fold(text)) && !terms.some((term) => dateWords.has(term))
  )
  const unnamed = all.filter((word) => !names.has(word))
  const words = unnamed.length > 0 ? unnamed : all
  const isEnglish = analysed.language === 'en'
  const isShort = words.length <= MAX_RELATED_CONCEPTS
  return words.slice(0, MAX_CONCEPTS).map(({ terms }) => ({
    terms,
    /** Terms of other words that also speak for it, and how much. */
    related: new Map(isEnglish && isShort ? related.get(terms[0] ?? '') : []),
    isFrame: isEnglish && frameWords.has(terms[0] ?? '')
  }))
}

const englishTerm = (word: string): string => latinStems(word, 'en')[0] ?? word

const related = new Map<string, Map<string, number>>()

function relate(term: string, other: string, share: number): void {
  const others = related.get(term) ?? new Map<string, number>()
  related.set(term, others)
  if (other !== term) others.set(other, Math.max(others.get(other) ?? 0, share))
}

for (const group of wordFamilies(wordGroups)) {
  const terms = group.map(englishTerm)
  for (const term of terms) for (const other of terms) relate(term, other, SHARES.group)
}

for (const family of wordKinds.split('|')) {
  const [kinds = [], things = []] = family.split(':').map((words) => wordList(words).map(englishTerm))
  for (const kind of kinds) for (const thing of things) relate(kind, thing, SHARES.kind)
}

const frameWords: ReadonlySet<string> = new Set(
  wordList(`
describe mention say tell according react reaction response share show happen go get take make give come know think
feel plan want use find look start try keep put call see talk discuss refer state express consider specific particular
certain different various item thing way time reason type kind name example`).map(englishTerm)
)
