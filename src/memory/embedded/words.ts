// Where words begin and end, in any script. One pass; in every pattern a part stops where the next can begin.
import { normalise, plainLetters } from './fold.ts'
import { isStopWord } from './stop-words.ts'

export interface Word {
  text: string
  /** In lower case, with its accents; a number or a code in its one form. */
  form: string
  /** Stands for itself (a number, a code, an address) and has no stem. */
  isExact: boolean
  others: readonly string[]
  isCapitalised: boolean
  /** Only indexed, and no word to count or to ask for. */
  isSafeguard: boolean
}

const LONGEST_TERM = 64
/** Compatibility forms can be eighteen times as long as what they stand for: no longer than a memory may be. */
const MAX_NORMALISED = 32_768
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

function shorten(form: string): string {
  if (form.length <= LONGEST_TERM) return form
  return form.slice(0, LONGEST_TERM).replace(/[\ud800-\udbff]$/, '')
}

/** The one form of a number, then others that it is found by: of `8th` it is `8`, and `8th`; of `1,234.50` `1234.5`. */
export function numberForms(text: string): readonly [form: string, others: readonly string[]] | undefined {
  if (/^[0-9]+$/.test(text)) return [withoutZero(text), []]
  const [, counted] = /^([0-9]+)\p{Ll}{1,4}$/u.exec(text) ?? []
  if (counted !== undefined) return [withoutZero(counted), [text]]
  if (!/^[0-9]+(?:[.,][0-9]+)+$/.test(text)) return undefined
  const marks = text.replace(/[0-9]/g, '')
  const groups = text.split(/[.,]/)
  const last = groups.pop() ?? ''
  const whole = groups.join('')
  const [first = '', ...thousands] = groups
  if (first.length > 3 && thousands.length > 0) return undefined
  if (thousands.some((group) => group.length !== 3)) return undefined
  const isRepeated = new Set(marks).size === 1
  if (isRepeated && last.length === 3 && first !== '0') return [`${whole}${last}`, []]
  const isFraction = marks.length === 1 || (!isRepeated && new Set(marks.slice(0, -1)).size === 1)
  if (!isFraction) return undefined
  const fraction = last.replace(/0+$/, '')
  return [fraction === '' ? withoutZero(whole) : `${withoutZero(whole)}.${fraction}`, []]
}

/** Of which two words that are forms of one have one in common: alike but for a few letters at the end. */
export function beginningsOf(word: string): string[] {
  const shortest = Math.min(word.length, Math.max(4, word.length - 3))
  return Array.from({ length: word.length - shortest + 1 }, (_, more) => word.slice(0, shortest + more))
}

/** `05` is 5; `007` is a code. */
const withoutZero = (digits: string): string => digits.replace(/^0(?=[0-9]$)/, '')

const PHONE = /\+?[0-9](?:[ ()./-]{0,2}[0-9]){6,14}(?![0-9])/g

/** Telephone numbers by their last seven digits, which stay when the country's or the area's prefix is written otherwise. */
function phoneNumbers(text: string): string[] {
  const numbers = text.match(PHONE) ?? []
  return numbers.map((number) => `#${number.replace(/[^0-9]/g, '').slice(-7)}`)
}

// Chinese, Japanese and their like write no blanks. The segmenter's dictionary finds the words, but differs from one
// Node to the next and with the sentence around; pairs of neighbouring characters don't, so both are indexed.

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
/** The segmenter takes a microsecond for a character, and far more when it is given much at once. */
const MAX_AT_ONCE = 256

/** The words, each with the pairs in it, and the pairs across two words: a safeguard, neither counted nor asked for. */
function* unspacedWords(run: string, language: 'zh' | 'ja', isSegmented: boolean) {
  let before: readonly string[] = []
  for (const segment of isSegmented ? segmentsOf(run) : run) {
    const isStop = isStopWord(segment, language)
    const characters = isStop ? [] : [...segment]
    const [last = '', first = ''] = [before.at(-1), characters[0]]
    // Two words of one character each may be a name that the dictionary doesn't know.
    const isName = isSegmented && before.length === 1 && characters.length === 1
    if (isPaired(last) && isPaired(first)) yield { text: last + first, pairs: [], isAcross: !isName }
    before = characters
    const text = withoutEnding(characters)
    if (!isSegmented || text === '' || isStopWord(text, language) || isLoneHiragana(text)) continue
    yield { text, pairs: pairsIn(characters).filter((pair) => pair !== text), isAcross: false }
  }
}

const isLoneHiragana = (text: string): boolean => text.length === 1 && isHiragana(text)

function pairsIn(characters: readonly string[]): string[] {
  const pairs: string[] = []
  for (let index = 1; index < characters.length; index += 1) {
    const [first = '', second = ''] = [characters[index - 1], characters[index]]
    if (isPaired(first) && isPaired(second)) pairs.push(first + second)
  }
  return pairs
}

/** 食べた, 食べる: what Japanese inflects with is written in hiragana behind the stem. */
function withoutEnding(characters: readonly string[]): string {
  const [first = ''] = characters
  const end = isHiragana(first)
    ? characters.length
    : characters.findLastIndex((character) => !isHiragana(character)) + 1
  return characters.slice(0, end).join('')
}

const isHiragana = (character: string): boolean => character >= '\u3041' && character <= '\u309f'

/** Chinese characters, katakana and Hangul: of these two tell something. */
function isPaired(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return (
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0x30a0 && code <= 0x30ff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0x20000 && code <= 0x3ffff) ||
    code === 0x3005
  )
}

function* segmentsOf(run: string): Generator<string> {
  for (let start = 0; start < run.length; ) {
    let end = Math.min(start + MAX_AT_ONCE, run.length)
    if (end < run.length && /[\ud800-\udbff]/.test(run.charAt(end - 1))) end -= 1
    for (const { segment } of segmenter.segment(run.slice(start, end))) yield segment
    start = end
  }
}

/** Scripts that leave no blanks between words; Hangul is here for the particles that hang on its words. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々〆ー'

const UNSPACED_RUN = new RegExp(`([${UNSPACED}]+)`, 'u')

export const hasUnspaced = (text: string): boolean =>
  /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\uffef\ud840-\ud8ff]/.test(text)

export type Script = 'latin' | 'cyrillic' | 'arabic' | 'other'

export function scriptOf(word: string): Script {
  const code = word.charCodeAt(0)
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00)) return 'latin'
  if (code >= 0x400 && code < 0x530) return 'cyrillic'
  if (code >= 0x600 && code < 0x780) return 'arabic'
  return 'other'
}
