// Who says a line: a name before a colon, a word for one of the two sides, or a heading that is neither.
import { splitAuthor } from '../author.ts'
import type { Subject } from './draft.ts'

/** The customer itself; whoever writes notes about it. */
export const CUSTOMER: Subject = { name: '', isMain: true }

export interface Line {
  /** Whose `I` this is: a note's is taken for the customer's. Null for a machine, which says nothing of the customer. */
  speaker: Subject | null
  /** Whether the line has its own speaker. */
  isPrefixed: boolean
  text: string
}

const CUSTOMER_WORDS = /^(?:customer|client|caller|user|human|lead|prospect|patient|guest|buyer|visitor)$/i
const MACHINE_WORDS =
  /^(?:assistant|agent|ai|bot|chat ?bot|system|voice ?bot|voice agent|tool|function|model|operator|support|gpt|claude|instructions?|prompt|developer)$/i
const SIDE = /^([A-Za-z][A-Za-z ]{1,14}): +(?=\S)/

/** Words that stand before a colon without having said what follows. */
const HEADINGS =
  /^(?:notes?|updates?|summary|reminder|important|warning|info|fyi|todo|to do|action|actions|next|next steps?|result|outcome|status|topic|subject|re|fwd|fw|date|time|when|where|who|what|why|how|background|context|details?|history|issue|problem|question|answer|request|feedback|comments?|call|meeting|e-?mail|phone|mobile|cell|tel|telephone|whats ?app|name|full name|role|title|job|job title|position|occupation|company|employer|organi[sz]ation|place|location|city|address|country|based|lives|home|contact|prefers?|preferences?|likes|dislikes|goals?|plans?|relation|events?|language|p\.?s|n\.?b|edit|correction|quote|example|hypothetical|rumou?r|allergy|allergies|diet|birthday|about|from|to|cc|bcc|sent|deal|budget|decision|agenda|attendees|participants|follow-?up)$/i

/** The time in front of a line of a transcript, in brackets or bare. */
const TIMESTAMP =
  /^(?:[[(][\d:.,/ TZAPMapm-]{4,25}[\])]|\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?)[ \t]*(?:[-–—][ \t]*)?/
const BULLET = /^(?:[-*•–]|\d{1,2}[.)])[ \t]+/

export function readLine(raw: string, before: Subject | null): Line {
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
