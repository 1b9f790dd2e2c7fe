// Chinese, Japanese and their like write no blanks. The segmenter's dictionary finds the words, but differs from one
// Node to the next and with the sentence around; pairs of neighbouring characters don't, so both are indexed.
import { isStopWord } from './stop-words.ts'

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
/** The segmenter takes a microsecond for a character, and far more when it is given much at once. */
const MAX_AT_ONCE = 256

export interface Piece {
  text: string
  /** Pairs of characters within the word. */
  pairs: readonly string[]
  /** The text is a pair across two words, a safeguard and not a word: neither counted nor asked for. */
  isAcross: boolean
}

/** The words of one run without blanks, and the pairs across them. */
export function* unspacedWords(run: string, language: 'zh' | 'ja', isSegmented: boolean): Generator<Piece> {
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
