// The part of a memory that speaks to a question, short enough to quote.
import { splitAuthor } from './author.ts'
import { partsOf } from './facts/sentences.ts'
import { languageTold, latinLanguagesOf } from './language.ts'
import { ELLIPSIS, type Pause, toOneLine } from './port.ts'
import { termsOf } from './terms.ts'
import { dated } from './time/times.ts'
import { wordsOf } from './words.ts'

const MAX_EXCERPT_LENGTH = 500

/** Sentences that are read together. */
const SHORT = 120
/** Ends between what people see as characters, but where hundreds of marks hang on one. */
const PIECE = /.{1,200}(?![\p{M}\p{EMod}\u200d])(?<!\u200d)|.{1,200}/gsu

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
  return dated(await excerptOf(content, terms, pause), occurredAt, languageTold(content))
}

/** Sentences with what separates them, short ones together; one that is too long to quote in pieces. */
function quotablesOf(line: string): string[] {
  const quotables: string[] = []
  for (const sentence of partsOf(line)) {
    for (const [piece] of sentence.matchAll(PIECE)) {
      const last = quotables.at(-1)
      if (last !== undefined && last.length + piece.length <= SHORT) quotables.push(quotables.pop() + piece)
      else quotables.push(piece)
    }
  }
  return quotables
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
