// Who states something in a memory; and what is stated only together with a memory before it in its session: an answer
// with its question, an agent's confirmation with whom it speaks to.
import { dayOf, spansIn } from '../dates.ts'
import { type FactKind, foldValue, type Subject } from '../facts/fact.ts'
import { isSupposed, QuoteWatch, sentencesOf } from '../facts/sentences.ts'
import { MAX_DISTANCE } from '../facts/store.ts'
import { toldLines } from '../facts/told-lines.ts'
import type { BatchMemory } from '../port.ts'
import { ToldText } from './told-text.ts'

export interface Together {
  /** Both, to look words up in. */
  told: ToldText
  /** The other memory: without it the fact is nobody's. */
  standsOn: number
  /** With whom an agent speaks; not set for an answer. */
  person?: Subject
}

/** Of an agent's words only what is to come counts; all else it may have from this memory. */
export const CONFIRMED: ReadonlySet<FactKind> = new Set(['event', 'plan'])

/** Characters. Who answers with more says what he means in his own words. */
const LONGEST_ANSWER = 40
const LONGEST_CONFIRMATION = 300

interface Turn {
  memory: BatchMemory
  /** Null for a machine. */
  speaker: Subject | null
  /** Without who says it, and what is quoted. */
  sentences: string[]
}

/** Looks up who states that in a memory: whether it is one of the people, and what it says with what was said before. */
export function conversationOf(memories: readonly BatchMemory[]) {
  const turns = memories.flatMap(turnsOf)
  return (memory: BatchMemory, quote: string) => {
    const words = foldValue(quote)
    if (words.length < SHORTEST_QUOTE) return undefined
    const said = turns.map((turn) => (turn.memory === memory ? statementIn(turn, words) : undefined))
    const at = said.findIndex((sentence) => sentence !== undefined)
    const [turn, sentence] = [turns[at], said[at]]
    if (!turn || !sentence) return undefined
    const before = turns.slice(0, at).filter((other) => isNear(other.memory, memory))
    const together = (turn.speaker ? answered : confirmed)(turn, sentence, before.reverse())
    return { isOfPerson: turn.speaker !== null, together }
  }
}

function turnsOf(memory: BatchMemory): Turn[] {
  const turns: Turn[] = []
  const watch = new QuoteWatch()
  for (const { speaker, isPrefixed, isFresh, text } of toldLines(memory.content)) {
    if (isFresh) watch.close()
    if (isPrefixed || turns.length === 0) turns.push({ memory, speaker, sentences: [] })
    turns.at(-1)?.sentences.push(...sentencesOf(text).filter((sentence) => !watch.touches(sentence)))
  }
  return turns
}

/** Shorter ones stand anywhere. In Chinese a word has two characters. */
const SHORTEST_QUOTE = 2
const CLAUSE_ENDS = /[,;:…—，；：、؛]/u
const QUESTION = /[?？؟]/

/** The sentence that has these words: no question, and nothing that is supposed only. */
function statementIn({ sentences }: Turn, words: string): string | undefined {
  const has = (text: string): boolean => foldValue(text).includes(words)
  return sentences.find((sentence) => {
    if (QUESTION.test(sentence) || !has(sentence)) return false
    return !isSupposed(sentence.split(CLAUSE_ENDS).find(has) ?? sentence)
  })
}

const isNear = (a: BatchMemory, b: BatchMemory): boolean =>
  a.seq - a.turn === b.seq - b.turn && b.seq - a.seq <= MAX_DISTANCE

/** With the words of the last question that somebody else asked. */
function answered(
  { memory, speaker }: Turn,
  sentence: string,
  before: readonly Turn[]
): Together | undefined {
  for (const turn of sentence.length > LONGEST_ANSWER ? [] : before) {
    const question = turn.sentences.findLast((asked) => QUESTION.test(asked))
    if (!question || isSame(turn.speaker, speaker)) continue
    return { told: new ToldText(memory, `${question}\n${sentence}`), standsOn: turn.memory.seq }
  }
  return undefined
}

/** With the name of the last one who spoke before, where it tells of a day to come. */
function confirmed({ memory }: Turn, sentence: string, before: readonly Turn[]): Together | undefined {
  const person = before.find(({ speaker }) => speaker)
  const { occurredAt } = memory
  const isAhead =
    sentence.length <= LONGEST_CONFIRMATION &&
    spansIn(sentence, occurredAt).some(([, last]) => last >= dayOf(occurredAt))
  if (!person?.speaker || !isAhead) return undefined
  const told = new ToldText({ ...memory, author: person.speaker.name }, sentence)
  return { told, standsOn: person.memory.seq, person: person.speaker }
}

/** Where nobody is named, turns are taken by turns. */
const isSame = (a: Subject | null, b: Subject | null): boolean =>
  a !== null && b !== null && a.name !== '' && a.name === b.name
