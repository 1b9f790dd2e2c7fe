// From a model's operations to facts. Each is held against the memory that it names; what isn't borne out is dropped,
// and the rest stays.
import { setImmediate } from 'node:timers/promises'
import { DAY_MS } from '../../../clock.ts'
import type { BatchMemory } from '../../jobs/work.ts'
import { type FactKind, MAX_FACTS } from '../facts/draft.ts'
import { dated } from '../facts/extract.ts'
import { foldValue } from '../facts/fold-value.ts'
import { contentWords } from '../facts/fragments.ts'
import type { FactPlace, ModelFact } from '../facts/model-facts.ts'
import { topicOfRelation } from '../facts/read-possessed.ts'
import { topicOfThing } from '../facts/read-taste.ts'
import { topicOfGoal } from '../facts/read-wishes.ts'
import { speaksToModel } from '../facts/untrusted.ts'
import { fold } from '../fold.ts'
import { toOneLine } from '../one-line.ts'
import type { Operation } from './answer.ts'
import type { KnownFact } from './known.ts'
import type { LabelledFact, LabelledMemory } from './prompt.ts'
import { isNamed, isPresentable, isSupported } from './support.ts'
import { ToldText } from './told-text.ts'

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

// Whom a fact is about and of when it is, as far as its memory bears that out.

const CUSTOMER = /^(?:(?:the )?customer|)$/i
const LONGEST_NAME = 60

/** Empty for the customer; nothing for somebody whom the memory doesn't name. */
function subjectOf(subject: string | null | undefined, told: ToldText): string | undefined {
  const name = toOneLine(subject ?? '')
  if (CUSTOMER.test(name)) return ''
  const isName = /^[\p{Lu}\p{Lo}]/u.test(name) && name.length <= LONGEST_NAME && !speaksToModel(name)
  return isName && isNamed(name, told) ? name : undefined
}

/** Whether the memory can be about somebody whom another one named, perhaps more fully. */
const isMeant = (subject: string, told: ToldText): boolean =>
  subject === '' || subject.split(' ').some((word) => isNamed(word, told))

/**
 * When it happened. An event has the day that the memory tells of it. What holds, holds as of the telling, unless it is
 * told of the past; of "last month" the end, since until then it may have begun. What is ahead is known as of the telling.
 */
function timeOf(kind: FactKind, date: string | null | undefined, told: ToldText): string {
  const { occurredAt } = told.memory
  const span = told.spanAround(date ?? '')
  if (!span) return occurredAt
  const at = kind === 'event' ? `${date}T00:00:00.000Z` : new Date(span[1] * DAY_MS).toISOString()
  return at.slice(0, 10) < occurredAt.slice(0, 10) ? at : occurredAt
}

// The topic by which a fact of a model finds its slot: where the rules know one, the same, so that both mean one slot.

const MAX_TOPIC_LENGTH = 60

/** @param named what the model calls the topic */
function topicOf(kind: FactKind, value: string, named: string): string {
  return (known(kind, value) ?? words(named || value)).slice(0, MAX_TOPIC_LENGTH)
}

/** `undefined` where the value doesn't tell. */
function known(kind: FactKind, value: string): string | undefined {
  switch (kind) {
    case 'name':
    case 'role':
    case 'company':
    case 'place':
      return ''
    case 'contact':
      if (value.includes('@')) return 'email'
      return value.replace(/\D/g, '').length >= 7 ? 'phone' : undefined
    case 'relation': {
      const [, relation, name] = /^(\p{Ll}[\p{Ll} -]*) (\p{Lu}.*)$/u.exec(value) ?? []
      return relation && name ? topicOfRelation(relation, name) : foldValue(value)
    }
    case 'like':
      return topicOfThing(value.replace(/^(?:dis)?likes /i, '')) || undefined
    case 'goal':
      return topicOfGoal(value) || undefined
    default:
      return undefined
  }
}

const words = (text: string): string => contentWords(text).slice(0, 3).join(' ') || foldValue(text)
