// The lines of a memory in which somebody tells something: no code, nothing quoted from an earlier mail.
import { splitAuthor } from '../author.ts'
import type { Subject } from './fact.ts'

interface ToldLine extends Line {
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

const CUSTOMER_WORDS = /^(?:customer|client|caller|user|human|lead|prospect|patient|guest|buyer|visitor)$/i
const MACHINE_WORDS =
  /^(?:assistant|agent|ai|bot|chat ?bot|system|voice ?bot|voice agent|tool|function|model|operator|support|gpt|claude|instructions?|prompt|developer)$/i
const SIDE = /^([A-Za-z][A-Za-z ]{1,14}): +(?=\S)/

const HEADINGS =
  /^(?:notes?|updates?|summary|reminder|important|warning|info|fyi|todo|to do|action|actions|next|next steps?|result|outcome|status|topic|subject|re|fwd|fw|date|time|when|where|who|what|why|how|background|context|details?|history|issue|problem|question|answer|request|feedback|comments?|call|meeting|e-?mail|phone|mobile|cell|tel|telephone|whats ?app|name|full name|role|title|job|job title|position|occupation|company|employer|organi[sz]ation|place|location|city|address|country|based|lives|home|contact|prefers?|preferences?|likes|dislikes|goals?|plans?|relation|events?|language|p\.?s|n\.?b|edit|correction|quote|example|hypothetical|rumou?r|allergy|allergies|diet|birthday|about|from|to|cc|bcc|sent|deal|budget|decision|agenda|attendees|participants|follow-?up)$/i

const TIMESTAMP =
  /^(?:[[(][\d:.,/ TZAPMapm-]{4,25}[\])]|\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?)[ \t]*(?:[-–—][ \t]*)?/
const BULLET = /^(?:[-*•–]|\d{1,2}[.)])[ \t]+/

function readLine(raw: string, before: Subject | null): Line {
  const text = raw.trim().replace(TIMESTAMP, '').replace(BULLET, '')
  const side = SIDE.exec(text)
  const word = side?.[1]?.trim() ?? ''
  if (side && CUSTOMER_WORDS.test(word)) return said(CUSTOMER, text.slice(side[0].length))
  if (side && MACHINE_WORDS.test(word)) return said(null, text.slice(side[0].length))
  const { author, body } = splitAuthor(text)
  if (author === null || HEADINGS.test(author)) return { speaker: before, isPrefixed: false, text }
  return said({ name: author, isMain: true }, body)
}

const said = (speaker: Subject | null, text: string): Line => ({ speaker, isPrefixed: true, text })
