// From a model's operations to facts. Each is held against the memory that it names; what isn't borne out is dropped,
// and the rest stays.
import { setImmediate } from 'node:timers/promises'
import { DAY_MS } from '../../../clock.ts'
import type { FactKind, Subject } from '../facts/fact.ts'
import { foldValue, MAX_FACTS, MAX_VALUE_LENGTH, slotOf, speaksToModel, topicIn } from '../facts/fact.ts'
import type { FactHead } from '../facts/heads.ts'
import type { FactPlace, ModelFact } from '../facts/model-facts.ts'
import { contentWords, topicOfGoal, topicOfRelation, topicOfThing } from '../facts/topics.ts'
import { fold } from '../fold.ts'
import { toOneLine } from '../port.ts'
import { withDays } from '../time/times.ts'
import { CONFIRMED, conversationOf } from './conversation.ts'
import type { FactChange, LabelledFact, LabelledMemory } from './prompt.ts'
import { ToldText } from './told-text.ts'

interface Deps {
  memories: readonly LabelledMemory[]
  facts: readonly LabelledFact[]
  /** Every known fact: what is added must not be among them in other words of the model's own. */
  known: readonly FactHead[]
  authors: ReadonlySet<string>
}

/** A memory that ends more than this is no conversation. */
const MAX_ENDS = 4

/** The facts of each memory, by its `seq`, and how many operations were dropped. Others get their turn in between. */
export async function draftsOf(operations: readonly FactChange[], deps: Deps) {
  const read = operationReader(deps)
  const saidIn = conversationOf(deps.memories.map(({ memory }) => memory))
  const factsOf = new Map<number, ModelFact[]>()
  let dropped = operations.length
  for (const { label, memory } of deps.memories) {
    const text = new ToldText(memory)
    const facts: ModelFact[] = []
    for (const operation of operations.filter((one) => one.memory === label)) {
      await setImmediate()
      const fact = stated(operation, text)
      if (fact && hasRoom(facts, fact)) facts.push(fact)
    }
    factsOf.set(memory.seq, facts)
    dropped -= facts.length
  }
  return { factsOf, dropped }

  function stated(operation: FactChange, text: ToldText): ModelFact | undefined {
    const said = saidIn(text.memory, operation.quote)
    const alone = said?.isOfPerson ? read(operation, text) : undefined
    // What a bare `No` ends is told by the question.
    if (alone && !(alone.isRetraction && text.share(operation.quote).words === 0)) return alone
    if (!said?.together) return undefined
    const { told: both, standsOn, person } = said.together
    const fact = person ? confirmed(operation, both, person) : read(operation, both)
    return fact && fact.value !== '' ? { ...fact, standsOn } : undefined
  }

  /** What an agent says to one of several people isn't about the customer. */
  function confirmed(operation: FactChange, both: ToldText, { name }: Subject): ModelFact | undefined {
    if (operation.op === 'END') return undefined
    const isCustomer = CUSTOMER.test(toOneLine(operation.subject ?? ''))
    const fact = read(isCustomer ? { ...operation, subject: name } : operation, both)
    return fact && CONFIRMED.has(fact.kind) && (name === '' || fact.subject.name !== '') ? fact : undefined
  }
}

const hasRoom = (facts: readonly ModelFact[], fact: ModelFact): boolean =>
  facts.length < MAX_FACTS &&
  (!fact.isRetraction || facts.filter(({ isRetraction }) => isRetraction).length < MAX_ENDS) &&
  !facts.some((other) => slotOf(other) === slotOf(fact) && other.isRetraction === fact.isRetraction)

/** Makes a fact of an operation; none where the memory doesn't bear it out. */
function operationReader({ facts, known, authors }: Deps) {
  const targets = new Map(facts.map(({ label, fact }) => [label, fact]))
  /** The slot in which a value is held already: a second word for its topic makes no second fact. */
  const slots = new Map<string, { topic: string; follows?: FactPlace }>()
  for (const fact of known) slots.set(sameness(fact.subject, fact.kind, fact.value), placeOf(fact))

  type Found = Pick<ModelFact, 'kind' | 'topic' | 'value' | 'isRetraction' | 'follows'> & { name: string }

  function added({ subject, kind, topic, value }: FactChange, told: ToldText): Found | undefined {
    const name = subjectOf(subject, told)
    const tidied = tidy(value ?? '', told)
    if (name === undefined || !kind || !isPresentable(tidied) || !isSupported(tidied, told)) return undefined
    const same = sameness(name, kind, tidied)
    const own = slots.get(same) ?? { topic: topicOf(kind, tidied, topic ?? '') }
    slots.set(same, own)
    return { name, kind, ...own, value: tidied, isRetraction: false }
  }

  function changed({ op, fact: label, kind, value }: FactChange, told: ToldText): Found | undefined {
    const target = targets.get(label ?? '')
    if (!target || (kind && kind !== target.kind) || !isMeant(target.subject, told)) return undefined
    const isEnd = op === 'END'
    const given = op === 'SUPERSEDE' ? tidy(value ?? '', told) : target.value
    const isHeld = isPresentable(given) && isSupported(given, told)
    if (!isEnd && !isHeld) return undefined
    const of = { name: target.subject, kind: target.kind, ...placeOf(target) }
    // What ended is told by another memory, and goes with that one.
    return { ...of, value: isHeld ? given : '', isRetraction: isEnd }
  }

  return (operation: FactChange, told: ToldText): ModelFact | undefined => {
    const found = operation.op === 'ADD' ? added(operation, told) : changed(operation, told)
    if (!found) return undefined
    const { name, ...rest } = found
    const { kind } = rest
    const subject = { name, isMain: name === '' || authors.has(fold(name)) }
    // As with the rules: likings and goals of somebody count when two memories tell of them.
    const isStated = name === '' || (kind !== 'like' && kind !== 'goal')
    return { ...rest, subject, isStated, occurredAt: timeOf(kind, operation.date, told) }
  }
}

const placeOf = ({ slot, seq, part }: FactHead) => ({ topic: topicIn(slot), follows: { seq, part } })

const sameness = (name: string, kind: FactKind, value: string): string =>
  slotOf({ subject: { name, isMain: false }, kind, topic: foldValue(value) })

const tidy = (value: string, { memory }: ToldText): string =>
  withDays(toOneLine(value).replace(/[\s.;,]+$/u, ''), memory.occurredAt)

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

// An event has the day that the memory tells of it. What holds, holds as of the telling, unless it is told of the past:
// then of "last month" the end, since until then it may have begun.
function timeOf(kind: FactKind, date: string | null | undefined, told: ToldText): string {
  const { occurredAt } = told.memory
  const span = told.spanAround(date ?? '')
  if (!span) return occurredAt
  const at = kind === 'event' ? `${date}T00:00:00.000Z` : new Date(span[1] * DAY_MS).toISOString()
  return at.slice(0, 10) < occurredAt.slice(0, 10) ? at : occurredAt
}

// The topic by which a fact of a model finds its slot: where the rules know one, the same, so that both mean one slot.

const MAX_TOPIC_LENGTH = 60

function topicOf(kind: FactKind, value: string, named: string): string {
  return (known(kind, value) ?? words(named || value)).slice(0, MAX_TOPIC_LENGTH)
}

function known(kind: FactKind, value: string): string | undefined {
  if (ONE_FOR_EACH.test(kind)) return ''
  if (kind === 'contact' && value.includes('@')) return 'email'
  if (kind === 'contact' && value.replace(/\D/g, '').length >= 7) return 'phone'
  if (kind === 'like') return topicOfThing(value.replace(/^(?:dis)?likes /i, '')) || undefined
  if (kind === 'goal') return topicOfGoal(value) || undefined
  if (kind !== 'relation') return undefined
  const [, relation, name] = /^(\p{Ll}[\p{Ll} -]*) (\p{Lu}.*)$/u.exec(value) ?? []
  return relation && name ? topicOfRelation(relation, name) : foldValue(value)
}

const ONE_FOR_EACH = /^(?:name|role|company|place)$/

const words = (text: string): string => contentWords(text).slice(0, 3).join(' ') || foldValue(text)

// Whether a memory says what a model made of it. Looked up word by word, so it can't be talked into anything; but what a
// memory does say, true or not, is taken.

/** Words of a value by which its kind is told, and not the memory's. */
const LABELS = /^(?:likes?|dislikes?|prefers?|favou?rite|speaks?|plans?|goal|role|at) /i

/** Whether every number and name of the value, and most of its words, are in the memory. */
function isSupported(value: string, told: ToldText): boolean {
  const given = value.replace(/\d{4}-\d{2}-\d{2}/g, (date) => (told.spanAround(date) ? ' ' : date))
  const numbers = given.match(/\d(?:[\d ().,/-]{0,100}\d)?/g) ?? []
  const names = [...given.matchAll(/(?<![\p{L}\p{M}\p{N}'’])\p{Lu}[\p{L}\p{M}\p{N}'’]{0,100}/gu)]
  // The first word may be written large for its place.
  const hasName = ({ 0: name, index }: RegExpMatchArray) =>
    told.hasName(name) || (index === 0 && told.hasWord(name))
  if (!numbers.every((number) => told.hasNumber(number)) || !names.every(hasName)) return false
  const { words, told: found } = told.share(given.replace(LABELS, ''))
  return words > 0 && found * 2 >= words
}

/** Whether a value can be shown in a profile: one short line that speaks to nobody. */
const isPresentable = (value: string): boolean =>
  value.length > 1 && value.length <= MAX_VALUE_LENGTH && value === toOneLine(value) && !speaksToModel(value)

function isNamed(name: string, told: ToldText): boolean {
  const words = name.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? []
  return words.length > 0 && words.every((word) => told.hasName(word))
}
