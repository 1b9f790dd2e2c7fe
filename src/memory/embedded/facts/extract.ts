// The typed facts that a memory states, without a model: sentences in English, labels and their values in any language.
// Whatever isn't said in one of the plain ways that the readers know is left alone, because a wrong fact in a profile is worse than none.
// By itself: the port would have a thread that only reads load the database, too.
import { shorten, toOneLine } from '../../one-line.ts'
import { placesOf } from '../attributes/attribute.ts'
import { normalise } from '../fold.ts'
import { type Language, languageOf, latinLanguagesOf } from '../language.ts'
import { isSameName } from '../names.ts'
import { withDays } from '../time/times.ts'
import { englishStatements, type Statement } from './english.ts'
import type { FactDraft, Subject } from './fact.ts'
import { MAX_FACTS, MAX_VALUE_LENGTH, slotOf, speaksToModel } from './fact.ts'
import { peopleIn } from './names.ts'
import { readLabels } from './read-labels.ts'
import { isStatement, MAX_SENTENCES, QuoteWatch, sentencesOf } from './sentences.ts'
import { SubjectReader } from './subjects.ts'
import { CUSTOMER, isRecalled, toldLines } from './told-lines.ts'

/** In the order in which they are told; none of a text that Recall or Ask gave out. */
export function extractFacts(
  content: string,
  occurredAt: string,
  language: Language = languageOf(content, latinLanguagesOf(content))
): FactDraft[] {
  if (isRecalled(content)) return []
  const drafts = new Map<string, FactDraft>()
  for (const statement of statementsTold(content, language)) {
    const draft = draftOf(statement, occurredAt)
    if (!draft) continue
    const key = `${slotOf(draft)}|${draft.isRetraction && draft.value}`
    // Of what a memory says twice, the last word counts.
    drafts.delete(key)
    drafts.set(key, draft)
    if (drafts.size === MAX_FACTS) break
  }
  return [...drafts.values()]
}

function* statementsTold(content: string, language: Language): Generator<Statement> {
  const quotes = new QuoteWatch()
  const subjects = new SubjectReader(content, language)
  let they: Subject | undefined
  let sentences = 0
  for (const line of toldLines(content)) {
    subjects.open(line)
    if (line.isFresh) quotes.close()
    const author = line.speaker ?? CUSTOMER
    if (line.isPrefixed || sentences === 0) they = author === CUSTOMER ? CUSTOMER : undefined
    for (const sentence of sentencesOf(withoutAttachments(line.text))) {
      sentences += 1
      if (sentences > MAX_SENTENCES) return
      const subject = subjects.subjectIn(sentence)
      const speech = { author, subject, they: subject?.name && subject.name !== author.name ? subject : they }
      if (quotes.touches(sentence) || line.speaker === null) continue
      if (isStatement(sentence)) {
        yield* englishStatements(toOneLine(sentence), speech)
        if (subject) yield* labelled(sentence, language, subject)
      }
      they = speech.they
    }
  }
}

function labelled(sentence: string, language: Language, about: Subject): Statement[] {
  const text = normalise(sentence)
  const findings = readLabels(text, language)
  if (findings.length === 0) return []
  const people = peopleIn(text, language).filter(({ isFull }) => isFull)
  const [relative] = placesOf('relative', text, language)
  return findings.flatMap((finding) => {
    const at = text.indexOf(finding.value)
    // What stands right behind a name is that one's: `Ask Leo Brandt, 555-0170`.
    const owner = people.find(({ name, index }) => at > index && at - index - name.length <= 3)
    if (finding.kind === 'contact' && owner && !isSameName(owner.name, about.name))
      return [{ subject: { name: owner.name, isMain: false }, finding }]
    // `My husband Ben is allergic to nuts.` But `I’m moving to my daughter’s at …` tells one's own address.
    const isShared =
      finding.kind === 'place' && / (?:to|with|at) \p{Ll}+ $/u.test(text.slice(0, relative?.start))
    const isRelatives =
      relative !== undefined && finding.kind !== 'relation' && !isShared && (at < 0 || relative.start < at)
    const [, name] = (isRelatives && /^,? (\p{Lu}[\p{L}\p{M}'’-]+)/u.exec(text.slice(relative.end))) || []
    if (isRelatives) return name ? [{ subject: { name, isMain: false }, finding }] : []
    return isSameName(finding.value, about.name) ? [] : [{ subject: about, finding }]
  })
}

/** `[photo: …]` and its like describe, and nobody says them. */
const withoutAttachments = (line: string): string => line.replace(/\[[^[\]]{0,300}\]/g, ' ')

const MIN_VALUE_LENGTH = 2

function draftOf({ subject, finding }: Statement, occurredAt: string): FactDraft | undefined {
  const { kind, topic = '', isRetraction = false, needsRepeating = false } = finding
  const value = shorten(withDays(tidy(finding.value), occurredAt), MAX_VALUE_LENGTH)
  if (speaksToModel(value) || speaksToModel(subject.name)) return undefined
  if (value.length < MIN_VALUE_LENGTH && !isRetraction) return undefined
  return {
    subject,
    kind,
    topic: topic.slice(0, MAX_TOPIC_LENGTH),
    value,
    isRetraction,
    isStated: !needsRepeating || subject.name === ''
  }
}

const MAX_TOPIC_LENGTH = 60

const tidy = (value: string): string =>
  value
    .replace(/\s+/g, ' ')
    .replace(/[\s.,;:!'"-]+$/u, '')
    .trim()
