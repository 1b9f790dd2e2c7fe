// The lines of a memory in which somebody tells something: no code, nothing quoted from an earlier mail.
import type { Subject } from './draft.ts'
import { CUSTOMER, readLine } from './speakers.ts'

export interface ToldLine {
  /** As it stands in the memory. */
  raw: string
  /** Without time, bullet and speaker. */
  text: string
  /** Null for a machine, which says nothing of the customer. */
  speaker: Subject | null
  /** Whether a paragraph or a turn begins with it. */
  isFresh: boolean
  /** Whether the line has its own speaker. */
  isPrefixed: boolean
}

/** Everything after this is what somebody else wrote before. */
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
    const { text, isPrefixed, speaker: said } = readLine(raw, speaker)
    if (isPrefixed) speaker = said
    yield { raw, text, speaker, isFresh: isFresh || isPrefixed, isPrefixed }
    isFresh = false
  }
}
