// From a model's operations to facts. Each is held against the memory that it names; what isn't borne out is dropped,
// and the rest stays.
import { setImmediate } from 'node:timers/promises'
import type { BatchMemory } from '../../jobs/work.ts'
import { type FactKind, MAX_FACTS } from '../facts/draft.ts'
import { dated } from '../facts/extract.ts'
import { foldValue } from '../facts/fold-value.ts'
import type { FactPlace, ModelFact } from '../facts/model-facts.ts'
import { fold } from '../fold.ts'
import { toOneLine } from '../one-line.ts'
import type { Operation } from './answer.ts'
import type { KnownFact } from './known.ts'
import type { LabelledFact, LabelledMemory } from './prompt.ts'
import { isPresentable, isSupported } from './support.ts'
import { ToldText } from './told-text.ts'
import { topicOf } from './topics.ts'
import { isMeant, subjectOf, timeOf } from './whom-and-when.ts'

/** Shown to the model, and what it may not have been shown. */
export interface Surroundings {
  memories: readonly LabelledMemory[]
  facts: readonly LabelledFact[]
  /** Every known fact: what is added must not be among them in other words of the model's own. */
  known: readonly KnownFact[]
  /** Who speaks in the Mind, folded. */
  authors: ReadonlySet<string>
}

/** A memory that ends more than this is no conversation. */
const MAX_ENDS = 4

/** The facts of each memory, by its `seq`, and how many operations were dropped. Others get their turn in between. */
export async function draftsOf(
  operations: readonly Operation[],
  surroundings: Surroundings
): Promise<{ factsOf: Map<number, ModelFact[]>; dropped: number }> {
  const reader = new OperationReader(surroundings)
  const factsOf = new Map<number, ModelFact[]>()
  let dropped = 0
  for (const operation of operations) {
    await setImmediate()
    const read = reader.read(operation)
    const facts = factsOf.get(read?.memory.seq ?? 0) ?? []
    if (!read || !hasRoom(facts, read.fact)) {
      dropped += 1
      continue
    }
    facts.push(read.fact)
    factsOf.set(read.memory.seq, facts)
  }
  return { factsOf, dropped }
}

const hasRoom = (facts: readonly ModelFact[], fact: ModelFact): boolean =>
  facts.length < MAX_FACTS &&
  (!fact.isRetraction || facts.filter(({ isRetraction }) => isRetraction).length < MAX_ENDS) &&
  !facts.some((other) => idOf(other) === idOf(fact) && other.isRetraction === fact.isRetraction)

const idOf = ({ subject, kind, topic }: ModelFact): string => [foldValue(subject.name), kind, topic].join('|')

interface Read {
  memory: BatchMemory
  fact: ModelFact
}

class OperationReader {
  readonly #memories: ReadonlyMap<string, BatchMemory>
  /** Those that were named already. */
  readonly #told = new Map<string, ToldText>()
  readonly #facts: ReadonlyMap<string, KnownFact>
  readonly #authors: ReadonlySet<string>
  /** The slot in which a value is held already: a second word for its topic makes no second fact. */
  readonly #slots = new Map<string, { topic: string; follows?: FactPlace }>()

  constructor({ memories, facts, known, authors }: Surroundings) {
    this.#memories = new Map(memories.map(({ label, memory }) => [label, memory]))
    this.#facts = new Map(facts.map(({ label, fact }) => [label, fact]))
    this.#authors = authors
    for (const { subject, kind, value, slot, seq, part } of known)
      this.#slots.set(sameness(subject, kind, value), { topic: topicIn(slot), follows: { seq, part } })
  }

  /** Nothing where it isn't borne out. */
  read(operation: Operation): Read | undefined {
    const told = this.#toldIn(operation.memory)
    if (!told?.states(operation.quote)) return undefined
    const fact = operation.op === 'ADD' ? this.#added(operation, told) : this.#changed(operation, told)
    return fact && { memory: told.memory, fact }
  }

  #toldIn(label: string): ToldText | undefined {
    const memory = this.#memories.get(label)
    const told = this.#told.get(label) ?? (memory && new ToldText(memory))
    if (told) this.#told.set(label, told)
    return told
  }

  #added({ subject, kind, topic, value, date }: Operation, told: ToldText): ModelFact | undefined {
    const name = subjectOf(subject, told)
    const tidied = tidy(value ?? '', told)
    if (name === undefined || !kind || !isPresentable(tidied) || !isSupported(tidied, told)) return undefined
    const same = sameness(name, kind, tidied)
    const own = this.#slots.get(same) ?? { topic: topicOf(kind, tidied, topic ?? '') }
    this.#slots.set(same, own)
    return this.#fact({ name, kind, ...own, value: tidied, isRetraction: false }, date, told)
  }

  #changed({ op, fact: label, kind, value, date }: Operation, told: ToldText): ModelFact | undefined {
    const target = this.#facts.get(label ?? '')
    if (!target || (kind && kind !== target.kind) || !isMeant(target.subject, told)) return undefined
    const isEnd = op === 'END'
    const given = op === 'SUPERSEDE' ? tidy(value ?? '', told) : target.value
    const isHeld = isPresentable(given) && isSupported(given, told)
    if (!isEnd && !isHeld) return undefined
    const { subject: name, slot, seq, part } = target
    const of = { name, kind: target.kind, topic: topicIn(slot), follows: { seq, part } }
    // What ended is told by another memory, and goes with that one.
    return this.#fact({ ...of, value: isHeld ? given : '', isRetraction: isEnd }, date, told)
  }

  #fact(
    {
      name,
      kind,
      topic,
      value,
      isRetraction,
      follows
    }: Pick<ModelFact, 'kind' | 'topic' | 'value' | 'isRetraction' | 'follows'> & { name: string },
    date: string | null | undefined,
    told: ToldText
  ): ModelFact {
    const subject = { name, isMain: name === '' || this.#authors.has(fold(name)) }
    // As with the rules: likings and goals of somebody count when two memories tell of them.
    const isStated = name === '' || (kind !== 'like' && kind !== 'goal')
    const occurredAt = timeOf(kind, date, told)
    return { subject, kind, topic, value, isRetraction, isStated, occurredAt, follows }
  }
}

const sameness = (subject: string, kind: FactKind, value: string): string =>
  [foldValue(subject), kind, foldValue(value)].join('|')

const topicIn = (slot: string): string => slot.split('|').slice(2).join('|')

const tidy = (value: string, { memory }: ToldText): string =>
  dated(toOneLine(value).replace(/[\s.;,]+$/u, ''), memory.occurredAt)
