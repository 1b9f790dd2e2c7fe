// What a memory states only together with one before it in its session: an answer with its question, an agent's
// confirmation with whom it speaks to.
import { dayOf, spansIn } from '../dates.ts'
import type { FactKind, Subject } from '../facts/fact.ts'
import { QuoteWatch, sentencesOf } from '../facts/sentences.ts'
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

/** Looks up what a memory says in these words with what was said before it. */
export function conversationOf(memories: readonly BatchMemory[]) {
  const turns = memories.flatMap(turnsOf)
  return (memory: BatchMemory, quote: string): Together | undefined => {
    const at = turns.findIndex((turn) => turn.memory === memory && sentenceWith(turn, quote))
    const turn = turns[at]
    const sentence = turn && sentenceWith(turn, quote)
    if (!sentence || !new ToldText(memory, sentence).states(quote)) return undefined
    const before = turns.slice(0, at).filter((other) => isNear(other.memory, memory))
    return (turn.speaker ? answered : confirmed)(turn, sentence, before.reverse())
  }
}

function turnsOf(memory: BatchMemory): Turn[] {
  const turns: Turn[] = []
  for (const { speaker, isPrefixed, text } of toldLines(memory.content)) {
    if (isPrefixed || turns.length === 0) turns.push({ memory, speaker, sentences: [] })
    const own = [...sentencesOf(text)].filter((sentence) => !new QuoteWatch().touches(sentence))
    turns.at(-1)?.sentences.push(...own)
  }
  return turns
}

const sentenceWith = ({ sentences }: Turn, quote: string): string | undefined =>
  sentences.find((sentence) => sentence.toLowerCase().includes(quote.toLowerCase()))

const isNear = (a: BatchMemory, b: BatchMemory): boolean =>
  a.seq - a.turn === b.seq - b.turn && b.seq - a.seq <= MAX_DISTANCE

/** With the words of the last question that somebody else asked. */
function answered({ memory, speaker }: Turn, sentence: string, before: readonly Turn[]) {
  for (const turn of sentence.length > LONGEST_ANSWER ? [] : before) {
    const question = turn.sentences.findLast((asked) => /[?？؟]/.test(asked))
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
