// Where words begin and end, in any script. One pass; in every pattern a part stops where the next can begin.
import { normalise, plainLetters } from './fold.ts'
import { numberForms, phoneNumbers } from './numbers.ts'
import { hasUnspaced, UNSPACED_RUN } from './scripts.ts'
import { unspacedWords } from './unspaced.ts'

export interface Word {
  /** As it stands in the text. */
  text: string
  /** In lower case, with its accents; a number or a code in its one form. */
  form: string
  /** Stands for itself (a number, a code, an address) and has no stem. */
  isExact: boolean
  /** Other forms of the same thing. */
  others: readonly string[]
  isCapitalised: boolean
  /** Only indexed, and no word to count or to ask for. */
  isSafeguard: boolean
}

/** A longer term finds nothing: nobody types it again. */
const LONGEST_TERM = 64
/** Compatibility forms can be eighteen times as long as what they stand for: no longer than a memory may be. */
const MAX_NORMALISED = 32_768
/** Of a long Chinese text the rest is found by pairs of characters alone. */
const MAX_SEGMENTED = 4_096

const CHUNK = /[\p{L}\p{M}\p{N}]+(?:(?:['’ʼ._@/:+&-]|,(?=[0-9]))[\p{L}\p{M}\p{N}]+)*/gu

export function* wordsOf(text: string): Generator<Word> {
  const normal = normalise(text).slice(0, MAX_NORMALISED)
  for (const number of phoneNumbers(normal)) yield exactWord(number, number)
  if (!hasUnspaced(normal)) return yield* spacedWords(normal)
  const language = /[\u3040-\u30ff]/.test(normal) ? 'ja' : 'zh'
  let read = 0
  for (const [index, part] of normal.split(UNSPACED_RUN).entries()) {
    const isUnspaced = index % 2 === 1
    if (!isUnspaced) yield* spacedWords(part)
    else {
      for (const { text: word, pairs, isAcross } of unspacedWords(part, language, read < MAX_SEGMENTED)) {
        yield { ...exactWord(word, word, pairs), isSafeguard: isAcross }
      }
    }
    read += part.length
  }
}

function* spacedWords(text: string): Generator<Word> {
  for (const [chunk] of text.matchAll(CHUNK)) {
    if (/[0-9@]/.test(chunk)) yield* codeWords(chunk)
    else if (/^[\p{L}\p{M}\p{N}]+$/u.test(chunk)) yield plainWord(chunk)
    else yield* compoundWords(chunk)
  }
}

function plainWord(text: string, others: readonly string[] = []): Word {
  const form = shorten(text.toLowerCase())
  return { text, form, isExact: false, others, isCapitalised: isCapital(text), isSafeguard: false }
}

function exactWord(text: string, form: string, others: readonly string[] = []): Word {
  const exact = { isExact: true, isCapitalised: false, isSafeguard: false }
  return { text, form: shorten(form), others: others.map(shorten), ...exact }
}

/** Numbers, dates, product codes, mail addresses: the whole in one form, and its parts. */
function* codeWords(chunk: string): Generator<Word> {
  const whole = plainLetters(chunk.toLowerCase())
  const forms = numberForms(whole)
  if (forms) return yield exactWord(chunk, ...forms)
  const parts = chunk.split(/[^\p{L}\p{M}\p{N}]+/u)
  yield exactWord(chunk, whole.replace(/[^\p{L}\p{N}@]+/gu, ''))
  if (parts.length === 1) return
  for (const part of parts) {
    const lower = plainLetters(part.toLowerCase())
    if (/[0-9]/.test(part)) yield exactWord(part, ...(numberForms(lower) ?? ([lower, []] as const)))
    else if (part.length > 1) yield plainWord(part)
  }
}

/** Contractions, elisions, hyphens, abbreviations. */
function* compoundWords(chunk: string): Generator<Word> {
  const pieces = chunk.split(/[._/:+&-]+/)
  // `e-mail` is found as `email` too, `U.S.A` as `usa`.
  const joined = pieces.join('').toLowerCase()
  const whole = pieces.length > 1 && /^[\p{L}\p{M}]{2,32}$/u.test(joined) ? [joined] : []
  for (const [index, piece] of pieces.entries()) {
    const others = index === pieces.length - 1 ? whole : []
    const [head = '', tail, ...rest] = piece.split(/['’ʼ]/)
    if (tail === undefined) yield plainWord(head, others)
    else if (/^(?:s|t|m|d|re|ve|ll)$/i.test(tail)) yield contraction(head, tail)
    else {
      // An elision, `l'avion`; with two capitals it may be a name, O'Brien.
      if (head.length > 2) yield plainWord(head)
      const isName = head.length === 1 && isCapital(head) && isCapital(tail)
      yield plainWord(tail, isName ? [`${head}${tail}`.toLowerCase()] : others)
      for (const part of rest) yield plainWord(part)
    }
  }
}

/** `Anna's` is Anna; `don't` and `we're` stay whole, as lists of stop words have them. */
function contraction(head: string, tail: string): Word {
  const word = plainWord(head)
  return /^s$/i.test(tail) ? word : { ...word, form: `${word.form}'${tail.toLowerCase()}` }
}

const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word)

/** Cuts between characters, never within one. */
function shorten(form: string): string {
  if (form.length <= LONGEST_TERM) return form
  return form.slice(0, LONGEST_TERM).replace(/[\ud800-\udbff]$/, '')
}
