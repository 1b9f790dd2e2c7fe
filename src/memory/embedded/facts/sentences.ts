// The sentences of a text in which somebody states something: no questions, no quotes, nothing that is only supposed.
import { isTitle } from '../attributes/attribute.ts'
import { isTimeWord } from '../attributes/shapes.ts'

const MAX_SENTENCE = 300

export const MAX_SENTENCES = 200

const ABBREVIATION =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Inc|Ltd|Co|Corp|vs|approx|No|a\.m|p\.m|e\.g|i\.e|\p{Lu})\.$/u

const END = /([.!?…؟]{1,10}["”’')\]]{0,3}(?=\s)|[。！？]{1,10}[」』）]?|\n)\s{0,99}/g

/** The sentences with the blanks behind them: joined they are the text. */
export function* partsOf(text: string): Generator<string> {
  let start = 0
  for (const { 0: all, 1: mark = '', index } of text.matchAll(END)) {
    if (mark === '.' && isWithin(text, start, index + 1)) continue
    yield text.slice(start, index + all.length)
    start = index + all.length
  }
  if (start < text.length) yield text.slice(start)
}

export const sentencesOf = (text: string): string[] =>
  [...partsOf(text)].map((part) => part.trim()).filter(Boolean)

/** Whether a full stop only abbreviates: what follows goes on in lower case, or what stands before is known to. */
function isWithin(line: string, start: number, end: number): boolean {
  if (/^\s+\p{Ll}/u.test(line.slice(end, end + 4))) return true
  const before = line.slice(Math.max(start, end - 8), end)
  const [, day] = /^\s(\p{L}+)/u.exec(line.slice(end, end + 20)) ?? []
  // `7. September`
  if (/(?:^|\D)[0-9]{1,2}\.$/.test(before) && isTimeWord(day ?? '')) return true
  return ABBREVIATION.test(before) || isTitle(/(\p{L}+)\.$/u.exec(before)?.[1] ?? '')
}

const REPORTED =
  /\b(?:said|says|saying|told|tells|asked|asks|claim(?:s|ed)?|heard|hear|rumou?rs?|rumou?red|according to|apparently|allegedly|supposedly|reportedly|thinks?|thought|believe[sd]?|guess(?:es|ed)?|assum(?:e|es|ed|ing)|seems?|seemed|sounds like|looks like|wonder(?:s|ed|ing)?|not sure|unsure|doubt|wrote|writes|quoted?|lyrics?|joke[ds]?|joking|kidding|sarcas\w+)\b/i

const SUPPOSED =
  /\b(?:if|unless|whether|would have|could|might|maybe|perhaps|possibly|probably|hypothetical(?:ly)?|imagin(?:e|es|ed|ing)|suppos(?:e|es|ed|ing)|wish(?:es|ed)?|hopefully|in case|what about|let's say|lets say|as though|pretend(?:s|ing)?|thinking (?:about|of)|thought of|considering|considers|toying|should|ought|someday|one day|dream(?:ed|t) (?:that|i)|tempted|almost|nearly|for example|e\.g\.|once upon)\b/i

const MAY = /\bmay\b/

export const isStatement = (sentence: string): boolean =>
  sentence.length <= MAX_SENTENCE &&
  !/[?>{}<|`]|https?:/.test(sentence) &&
  !isSupposed(sentence) &&
  !/^(?:when|once|as soon as|whenever|while)\b/i.test(sentence)

export const isSupposed = (clause: string): boolean => SUPPOSED.test(clause) || MAY.test(clause)

export const isReported = (sentence: string): boolean => REPORTED.test(sentence)

/** What stands between quotation marks isn't the speaker's, however many sentences it takes. */
export class QuoteWatch {
  #isOpen = false

  touches(sentence: string): boolean {
    let isQuoted = this.#isOpen
    for (const [mark] of sentence.matchAll(/["“”„«»]/g)) {
      isQuoted = true
      this.#isOpen = mark === '"' ? !this.#isOpen : mark === '“' || mark === '„' || mark === '«'
    }
    return isQuoted
  }

  /** At the end of a paragraph or a turn: an unpaired mark, such as of inches, spoils no more than that. */
  close(): void {
    this.#isOpen = false
  }
}
