// What a model is given to answer from: a line for each memory and each fact, with its day and the days it speaks of.
import { DAY_MS } from '../../../clock.ts'
import { dayOf, relativeDatesIn, type Span, weekdayNameOf } from '../dates.ts'
import { excerptOf } from '../excerpt.ts'
import { type FactHead, newestHeads, profileHeads } from '../facts/heads.ts'
import type { Pause, ReadHandle } from '../port.ts'
import type { Hit } from '../search.ts'
import { memoriesAt } from '../search-store.ts'
import { withoutPlanted } from './planted.ts'

export interface Item {
  memoryId: string
  occurredAt: string
  content: string
  /** What the model reads of it, on one line and without what speaks to a model. */
  line: string
}

const MAX_FACTS = 16
const MAX_DATES = 4

/** More of one memory than its beginning and the part on the question would be read before it is cut anyway. */
const LONG = 4_000
const BEGINNING = 2_000

export const isLong = ({ content }: Hit): boolean => content.length > LONG

/** @param terms of the question; without them only the beginning of a long memory is read */
export async function itemOfHit(hit: Hit, terms: Set<string> | undefined, pause: Pause): Promise<Item> {
  const { memoryId, content, occurredAt } = hit
  const beginning = `${content.slice(0, BEGINNING)} …`
  const part = isLong(hit) && terms ? ` ${await excerptOf(content, terms, pause)}` : ''
  const told = isLong(hit) ? beginning + part : content
  const line = `${dayNameOf(dayOf(occurredAt))}${notesOn(told, occurredAt)}: ${shown(told)}`
  return { memoryId, content, occurredAt, line }
}

/** What is known of whom the Mind is about; each cites the memory that it stands on. */
export async function factItems(db: ReadHandle, mindKey: number): Promise<Item[]> {
  const { heads } = profileHeads(await newestHeads(db, mindKey))
  const first = heads.slice(0, MAX_FACTS)
  const memories = await memoriesAt(db, mindKey, first)
  const contents = new Map(memories.map(({ memoryId, content }) => [memoryId, content]))
  return first.flatMap((head) => {
    const content = contents.get(head.memoryId)
    return content === undefined ? [] : [itemOfFact(head, content)]
  })
}

function itemOfFact({ memoryId, occurredAt, subject, kind, value }: FactHead, content: string): Item {
  const since = `${dayNameOf(dayOf(occurredAt))}${notesOn(value, occurredAt)}`
  const line = `${since}, known since then of ${shown(subject) || 'the customer'}, ${kind}: ${shown(value)}`
  return { memoryId, content, occurredAt, line }
}

/** No label in it can pass for one of ours. */
const shown = (text: string): string => withoutPlanted(text).replace(/\[([mf]\d+)\]/gi, '($1)')

function notesOn(content: string, occurredAt: string): string {
  const notes = relativeDatesIn(content, occurredAt).map(({ words, span }) => `“${words}” is ${daysOf(span)}`)
  const few = [...new Set(notes)].slice(0, MAX_DATES)
  return few.length === 0 ? '' : ` (${few.join('; ')})`
}

/** `Friday 2026-05-01` */
export function dayNameOf(day: number): string {
  const date = new Date(day * DAY_MS)
  return `${weekdayNameOf(date)} ${isoOf(day)}`
}

const isoOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

const daysOf = ([first, last]: Span): string =>
  first === last ? dayNameOf(first) : `between ${isoOf(first)} and ${isoOf(last)}`
