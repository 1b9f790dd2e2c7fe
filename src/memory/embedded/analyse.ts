// From a text to the terms by which it is found, and from a question to the terms that it looks for. Pure, and linear
// in the text's length: it runs at every remember and every search.
import { splitAuthor } from './author.ts'
import { languageOf, latinLanguagesOf } from './language.ts'
import { furtherTermsOf, termsOf } from './terms.ts'
import { asksWhen } from './traits.ts'
import { wordsOf } from './words.ts'

export type AnalysedText = ReturnType<typeof analyse>
export type AnalysedQuestion = ReturnType<typeof analyseQuestion>

export interface QuestionWord {
  text: string
  /** Its main term first, then others for the same word: a memory with any of them has the word. */
  terms: readonly string[]
  /** Written as a name is, with a capital; or a code, a number, an address. */
  isName: boolean
}

const MAX_DISTINCT_TERMS = 2_048

/** Who said it, where it begins with `Name: `, as spelled there, and what the rest says. */
export function analyse(content: string) {
  const { author, body } = splitAuthor(content)
  const languages = latinLanguagesOf(body)
  /** Every term to index, with how often it stands there. */
  const terms = new Map<string, number>()
  let termCount = 0
  for (const word of wordsOf(body)) {
    const forms = termsOf(word, languages)
    if (forms.length > 0 && !word.isSafeguard) termCount += 1
    for (const term of forms) {
      const count = terms.get(term)
      if (count !== undefined || terms.size < MAX_DISTINCT_TERMS) terms.set(term, (count ?? 0) + 1)
    }
  }
  return { author, language: languageOf(body, languages), terms, termCount }
}

export function analyseQuestion(question: string) {
  const languages = latinLanguagesOf(question)
  /** By their main terms, in the question's order. */
  const words = new Map<string, QuestionWord>()
  for (const word of wordsOf(question)) {
    const forms = termsOf(word, languages)
    const [main] = forms
    if (main === undefined || word.isSafeguard || words.has(main)) continue
    const terms = [...new Set([...forms, ...furtherTermsOf(word, languages)])]
    words.set(main, { text: word.text, terms, isName: word.isCapitalised || word.isExact })
  }
  const all = [...words.values()]
  return {
    language: languageOf(question, languages),
    words: all,
    terms: [...new Set(all.flatMap(({ terms }) => terms))],
    asksWhen: asksWhen(question)
  }
}
