// What a memory begins with, found once, when it is told.
import { splitAuthor } from './author.ts'
import { shorten, toOneLine } from './one-line.ts'

/** Characters of a memory in which its first sentence is looked for. */
const LOOKED_AT = 400

const MAX_LENGTH = 160

/** The first sentence of a memory with its author, on one line: what the snapshot shows of it. */
export function openingOf(content: string): string {
  const { author, body } = splitAuthor(content.slice(0, LOOKED_AT).toWellFormed().trim())
  let sentence = ''
  for (const { segment } of sentences.segment(body)) {
    sentence += segment
    if (toOneLine(sentence) !== '' && !GOES_ON.test(sentence)) break
  }
  return shorten(toOneLine(`${author === null ? '' : `${author}: `}${sentence}`), MAX_LENGTH)
}

/** The rules that sentences end by hardly differ between languages; those of the root locale hold for all. */
const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })

/** A full stop behind a day, an initial or a title ends nothing: `am 3. Mai`, `Dr. Reyes`. */
const GOES_ON = /(?:^|[\s(])(?:\p{N}{1,4}|\p{Lu}|[DM]rs?|Ms|Prof|St|Sra?|Dra|Nr|No)\.\s*$/u
