// The lines of a memory in which somebody tells something: no code, nothing quoted from an earlier mail.
import { isAgentWord, isCustomerWord, isNoteHead, isTitle } from '../attributes/attribute.ts'
import { splitAuthor } from '../author.ts'
import type { Subject } from './fact.ts'

export interface ToldLine extends Line {
  raw: string
  /** Whether a paragraph or a turn begins with it. */
  isFresh: boolean
}

const FORWARDED = /^(?:-{2,} ?(?:original|forwarded)|begin forwarded message|on .{5,80} wrote:$)/i

export function* toldLines(content: string): Generator<ToldLine> {
  let speaker: Subject | null = CUSTOMER
  let isCode = false
  let isFresh = true
  for (const raw of content.split(/\r\n|[\n\r\u2028\u2029]/)) {
    if (raw.trim() === '') {
      isFresh = true
      continue
    }
    if (/^\s*```/.test(raw)) isCode = !isCode
    if (isCode || /^\s*(?:>|```)/.test(raw)) continue
    if (FORWARDED.test(raw.trim())) return
    const line = readLine(raw, speaker)
    speaker = line.speaker
    yield { ...line, raw, isFresh: isFresh || line.isPrefixed }
    isFresh = false
  }
}

// What Recall and Ask gave out and an agent stored again. It is told by nobody: taken for a memory of its own, a fact
// would live on without its source, and prove itself.

/** A memory's id in full, as profile, snapshot, answers and tool results cite it; nobody else writes one. */
const CITATION = /\bmem_[0-9a-z]{20}(?![0-9a-z])/

/** The fence around what a tool hands on, and what an answer without a model begins with. */
const TRACES = [
  '<stored-text ',
  '</stored-text ',
  'What this Mind holds on it',
  'Nothing in this Mind answers that.'
]

/** `… lives in Porto [1].`: how an answer that a model wrote names its sources. */
const SOURCE = /[\p{L}\p{N}.!?)”"’] ?\[[1-9]\d?\](?=[\s.,;!?[]|$)/u

/** Whether a text repeats what this memory gave out. It has to be marked as that: retold in other words, it can't be told. */
export const isRecalled = (content: string): boolean =>
  (content.includes('mem_') && CITATION.test(content)) ||
  (content.includes('[') && SOURCE.test(content)) ||
  TRACES.some((mark) => content.includes(mark))

// Who says a line: a name before a colon, a word for one of the two sides, or a heading that is neither.

/** The customer itself; whoever writes notes about it. */
export const CUSTOMER: Subject = { name: '', isMain: true }

interface Line {
  /** Whose `I` this is: a note's is taken for the customer's. Null for a machine, which says nothing of the customer. */
  speaker: Subject | null
  isPrefixed: boolean
  text: string
}

const SIDE = /^([^:：]{2,40}?) ?(?:: +|：)(?=\S)/

const TIMESTAMP =
  /^(?:[[(][\d:.,/ TZAPMapm-]{4,25}[\])]|\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?)[ \t]*(?:[-–—][ \t]*)?/
const BULLET = /^(?:[-*•–]|\d{1,2}[.)])[ \t]+/

function readLine(raw: string, before: Subject | null): Line {
  const text = raw.trim().replace(TIMESTAMP, '').replace(BULLET, '')
  const [prefix = '', word = ''] = SIDE.exec(text) ?? []
  if (isCustomerWord(word)) return said(CUSTOMER, text.slice(prefix.length))
  if (isAgentWord(word)) return said(null, text.slice(prefix.length))
  const { author, body } = splitAuthor(text)
  if (author === null) return { speaker: before, isPrefixed: false, text }
  // `Mrs Quill: …`, `Tel. Ada Quill: …`
  const words = author.split(' ')
  const from = words.findIndex((one) => !isTitle(one) && !isNoteHead(one.replace(/\.$/, '')))
  return said({ name: words.slice(Math.max(0, from)).join(' '), isMain: true }, body)
}

const said = (speaker: Subject | null, text: string): Line => ({ speaker, isPrefixed: true, text })
