// The part of a memory that speaks to a question, short enough to quote.
import { splitAuthor } from './author.ts'
import { partsOf } from './facts/sentences.ts'
import { languageTold, latinLanguagesOf } from './language.ts'
import { ELLIPSIS, type Pause, toOneLine } from './port.ts'
import { termsOf } from './terms.ts'
import { timesIn, withTimes } from './time/times.ts'
import { wordsOf } from './words.ts'

const MAX_EXCERPT_LENGTH = 500

/** What is read as one sentence: together up to this, and in pieces from that. */
const SHORT = 120
const LONG = 250

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** On one line: the whole memory, or who says it and the sentences around the one that has most of the terms. */
export async function excerptOf(content: string, terms: ReadonlySet<string>, pause: Pause): Promise<string> {
  const line = toOneLine(content)
  if (line.length <= MAX_EXCERPT_LENGTH) return line
  const { author, body } = splitAuthor(line)
  const start = author === null ? '' : `${author}: `
  const sentences = quotablesOf(body)
  const room = MAX_EXCERPT_LENGTH - start.length - 2 * ELLIPSIS.length
  const [from, to] = widen(sentences, await mostTelling(sentences, terms, pause), room)
  const text = sentences.slice(from, to).join('').trim()
  return `${start}${from > 0 ? ELLIPSIS : ''}${text}${to < sentences.length ? ELLIPSIS : ''}`
}

/** The same, with the days that it tells from where it stood: "tomorrow (Sat 7 Nov 2026)". */
export async function datedExcerptOf(
  { content, occurredAt }: { content: string; occurredAt: string },
  terms: ReadonlySet<string>,
  pause: Pause
): Promise<string> {
  const excerpt = await excerptOf(content, terms, pause)
  const language = languageTold(content)
  return withTimes(excerpt, timesIn(excerpt, occurredAt, language), language)
}

/** Sentences with what separates them, short ones together; one that is too long to quote in pieces. */
function quotablesOf(line: string): string[] {
  const sentences: string[] = []
  for (const sentence of partsOf(line)) {
    const last = sentences.at(-1) ?? ''
    if (sentences.length > 0 && last.length + sentence.length <= SHORT)
      sentences[sentences.length - 1] = last + sentence
    else if (sentence.length <= LONG) sentences.push(sentence)
    else sentences.push(...piecesOf(sentence))
  }
  return sentences
}

function piecesOf(sentence: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < sentence.length; ) {
    const piece = cutBetweenCharacters(sentence.slice(start, start + 2 * LONG), LONG)
    pieces.push(piece)
    start += piece.length
  }
  return pieces
}

async function mostTelling(sentences: readonly string[], terms: ReadonlySet<string>, pause: Pause) {
  // Those of the whole, by which it is found, too: a sentence by itself could be of many, and would be stemmed in each.
  const languages = latinLanguagesOf(sentences.join(''))
  const counts: number[] = []
  for (const sentence of sentences) {
    await pause()
    const found = new Set([...wordsOf(sentence)].flatMap((word) => termsOf(word, languages)))
    counts.push([...found].filter((term) => terms.has(term)).length)
  }
  return counts.indexOf(Math.max(...counts))
}

/** Takes in the sentences after and before, by turns, while there is room. */
function widen(sentences: readonly string[], index: number, room: number): [from: number, to: number] {
  let [from, to] = [index, index + 1]
  let left = room - (sentences[index]?.length ?? 0)
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false
    for (const next of [to, from - 1]) {
      const { length } = sentences[next] ?? { length: Number.POSITIVE_INFINITY }
      if (length > left) continue
      if (next === to) to += 1
      else from -= 1
      left -= length
      hasGrown = true
    }
  }
  return [from, to]
}

/** At most `length`, and no character that people see as one is cut in two. */
function cutBetweenCharacters(text: string, length: number): string {
  if (text.length <= length) return text
  const start = graphemes.segment(text).containing(length)?.index ?? length
  // A letter under hundreds of marks has to be cut all the same.
  return start > length / 2 ? text.slice(0, start) : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
