// The typed facts that a memory states. English only, without a model: whatever isn't said in one of the plain ways that
// the readers know is left alone, because a wrong fact in a profile is worse than none.
import { DAY_MS } from '../../../clock.ts'
import { shorten, toOneLine } from '../port.ts'
import type { FactDraft, Subject } from './fact.ts'
import { MAX_FACTS, MAX_VALUE_LENGTH, slotOf, speaksToModel } from './fact.ts'
import { isStatement, MAX_SENTENCES, QuoteWatch, sentencesOf } from './sentences.ts'
import { type Discourse, type Statement, statementsIn } from './statements.ts'
import { CUSTOMER, isRecalled, toldLines } from './told-lines.ts'

/** In the order in which they are told; none of a text that Recall or Ask gave out. */
export function extractFacts(content: string, occurredAt: string): FactDraft[] {
  if (isRecalled(content)) return []
  const drafts = new Map<string, FactDraft>()
  for (const { text, discourse } of sentencesTold(content)) {
    for (const statement of statementsIn(text, discourse)) {
      const draft = draftOf(statement, occurredAt)
      if (!draft) continue
      const key = `${slotOf(draft)}|${draft.isRetraction && draft.value}`
      // Of what a memory says twice, the last word counts.
      drafts.delete(key)
      drafts.set(key, draft)
      if (drafts.size === MAX_FACTS) return [...drafts.values()]
    }
  }
  return [...drafts.values()]
}

function* sentencesTold(content: string): Generator<{ text: string; discourse: Discourse }> {
  const quotes = new QuoteWatch()
  let discourse = discourseOf(CUSTOMER, true)
  let sentences = 0
  for (const line of toldLines(content)) {
    const { speaker, isPrefixed } = line
    if (line.isFresh) quotes.close()
    // What stands behind `Customer:` may be its words or words about it.
    if (isPrefixed) discourse = discourseOf(speaker ?? CUSTOMER, speaker === CUSTOMER)
    for (const sentence of sentencesOf(withoutAttachments(line.text))) {
      sentences += 1
      if (sentences > MAX_SENTENCES) return
      if (quotes.touches(sentence) || speaker === null) continue
      if (isStatement(sentence)) yield { text: toOneLine(sentence), discourse }
      discourse.isOpening = false
    }
  }
}

const discourseOf = (speaker: Subject, isNote: boolean): Discourse => ({
  speaker,
  isNote,
  isOpening: true,
  topic: CUSTOMER,
  lastNamed: undefined
})

/** `[photo: …]` and its like describe, and nobody says them. */
const withoutAttachments = (line: string): string => line.replace(/\[[^[\]]{0,300}\]/g, ' ')

const MIN_VALUE_LENGTH = 2

function draftOf({ subject, finding }: Statement, occurredAt: string): FactDraft | undefined {
  const { kind, topic = '', isRetraction = false, needsRepeating = false } = finding
  const value = shorten(dated(tidy(finding.value), occurredAt), MAX_VALUE_LENGTH)
  if (speaksToModel(value) || speaksToModel(subject.name)) return undefined
  if (value.length < MIN_VALUE_LENGTH && !isRetraction) return undefined
  return {
    subject,
    kind,
    topic: topic.slice(0, MAX_TOPIC_LENGTH),
    value,
    isRetraction,
    isStated: !needsRepeating
  }
}

const MAX_TOPIC_LENGTH = 60

const tidy = (value: string): string =>
  value
    .replace(/\s+/g, ' ')
    .replace(/[\s.,;:!'"-]+$/u, '')
    .trim()

const DAYS_AWAY: Record<string, number> = { yesterday: -1, today: 0, tonight: 0, tomorrow: 1 }

/** A profile is read on another day than the memory was told. */
export function dated(value: string, occurredAt: string): string {
  return value.replace(/\b(yesterday|today|tonight|tomorrow)\b/gi, (word) => {
    const at = Date.parse(occurredAt) + (DAYS_AWAY[word.toLowerCase()] ?? 0) * DAY_MS
    return Number.isNaN(at) ? word : `on ${new Date(at).toISOString().slice(0, 10)}`
  })
}
