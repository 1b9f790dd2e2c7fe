// What a profile knows of what a question asks: the fact that answers it, or else what there is on whom it names.
import { now } from '../../../clock.ts'
import { topicIn } from '../facts/fact.ts'
import { type FactHead, labelled, newestHeads } from '../facts/heads.ts'
import { newestFirst } from '../facts/resolve-slot.ts'
import { fold } from '../fold.ts'
import { languageTold } from '../language.ts'
import { isNamedIn, likeness, type Name, nameOf } from '../names.ts'
import { NOTHING_FOUND, type ReadHandle } from '../port.ts'
import { newerFirst, searchMind } from '../search.ts'
import { statisticsOf } from '../search-store.ts'
import { type Asked, readAsked } from './asked.ts'
import type { Reading } from './readings.ts'

/** What holds of the one whom the question is about, where it asks for nothing else than one such thing. */
export async function factAsked(
  db: ReadHandle,
  mindKey: number,
  asked: Asked,
  told: readonly Reading[]
): Promise<FactHead | undefined> {
  const { attributes, content, things, names, period, isHistory, counted } = asked
  const [attribute, ...others] = attributes
  const isPlain = others.length === 0 && content.length === 0 && things.length === 0 && names.length < 2
  if (!attribute || !isPlain || period || isHistory || counted) return undefined
  const heads = (await newestHeads(db, mindKey)).filter((head) => attributeOf(head) === attribute)
  const [name] = names
  const theirs = heads.filter(({ subject }) =>
    name ? likeness(name, nameOf(subject)) === 'same' : subject === ''
  )
  if (new Set(theirs.map(({ subject }) => subject)).size > 1) return undefined
  const [fact] = theirs.sort(newestFirst)
  // What a sentence tells by no words that facts are read by may be newer.
  const isTold = told.some(({ hit, mostTold }) => mostTold > 0 && fact && newerFirst(hit, fact) < 0)
  return isTold ? undefined : fact
}

/** `Dana Reyes, Place: Lisbon, told on 2026-09-04 [1].` */
export const stated = (head: FactHead): string =>
  `${head.subject || 'The customer'}, ${labelled(head, head.value)}, told on ${head.occurredAt.slice(0, 10)} [1].\n`

/** What else than by its topic a fact is told as. */
const OF_KIND: Partial<Record<FactHead['kind'], string>> = {
  ...{ place: 'address', role: 'job', company: 'job', preference: 'preference', goal: 'goal', plan: 'plan' },
  ...{ name: 'name', like: 'taste', event: 'event' }
}

const attributeOf = ({ kind, slot }: FactHead): string => OF_KIND[kind] ?? topicIn(slot).split(' ')[0] ?? kind

const MOST_NAMED = 2
const MENTIONS = 50

/** That nothing answers, and what there is instead on whom the question names: facts by their labels, and memories. */
export async function nothingOn(db: ReadHandle, mindKey: number, question: string, signal: AbortSignal) {
  const heads = await newestHeads(db, mindKey)
  const statistics = await statisticsOf(db, mindKey)
  const known = [...(statistics?.authors ?? []), ...heads.map(({ subject }) => subject)].map(nameOf)
  const { names } = readAsked(question, known, languageTold(question), now())
  const told = [NOTHING_FOUND]
  for (const name of names.filter((one) => !isPartOf(one, names)).slice(0, MOST_NAMED)) {
    const { hits } = await searchMind(db, mindKey, name.join(' '), { limit: MENTIONS, signal, statistics })
    const [newest, ...others] = hits.filter(({ content }) => isNamedIn(name, fold(content))).sort(newerFirst)
    if (!newest) continue
    const count = others.length === 0 ? 'one memory' : `${others.length + 1} memories, the newest`
    const theirs = heads.filter(({ subject }) => likeness(name, nameOf(subject)) === 'same')
    const stated = [...new Set(theirs.map(attributeOf))].join(', ')
    told.push(
      `On ${spelledIn(question, name)} it holds ${count} of ${newest.occurredAt.slice(0, 10)}${stated && `, and states: ${stated}`}.`
    )
  }
  return { answer: told.join(' '), sources: [], found: false }
}

const isPartOf = (name: Name, names: readonly Name[]): boolean =>
  names.some(
    (other) => other !== name && other.length > name.length && name.every((part) => other.includes(part))
  )

function spelledIn(question: string, name: Name): string {
  const words = question.match(/[\p{L}\p{M}\p{N}-]+/gu) ?? []
  return words.filter((word) => name.includes(fold(word))).join(' ') || name.join(' ')
}
