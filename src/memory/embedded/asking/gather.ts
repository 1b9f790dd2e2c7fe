// The passages that a question is answered from, each read: what the search found, what was told in the time that the
// question means, and what else was said by or of whom it names.
import { now } from '../../../clock.ts'
import { type Span, unpackSpans } from '../dates.ts'
import type { Language } from '../language.ts'
import { likeness, type Name, nameOf } from '../names.ts'
import { inSlices, type ReadHandle } from '../port.ts'
import { newerFirst, type SearchResult, searchMind } from '../search.ts'
import { memoriesAt, newestBy, type Statistics, seqsWithin } from '../search-store.ts'
import { type Asked, readAsked } from './asked.ts'
import type { Before, Found, Read, Reading } from './readings.ts'
import { asks, codesIn, isNobody, judge, readPassage } from './readings.ts'
import { aliasesIn } from './related.ts'

/** What was told in a period, at most. */
const MAX_IN_PERIOD = 100
/** Turns before one that names nobody in which its person is looked for. */
const LOOKED_BACK = 3

type Memory = Omit<Found, 'shares' | 'meaning'>

/** The Mind that is asked. */
interface Mind {
  db: ReadHandle
  mindKey: number
  signal: AbortSignal
  statistics: Statistics
  /** Those that are read, by their `seq`, in the order in which they were. */
  passages: Map<number, Read>
  /** Reads what isn't read yet, as hits of no word of the question. */
  readNew(memories: readonly Memory[]): Promise<void>
}

export async function gather(
  db: ReadHandle,
  mindKey: number,
  question: string,
  result: SearchResult,
  signal: AbortSignal
) {
  const pause = inSlices(signal)
  const { hits, statistics } = result
  const spoken = mostSpoken(hits)
  const passages: Mind['passages'] = new Map()
  const readAll = async (hits: readonly Found[]) => {
    for (const hit of hits) {
      await pause()
      passages.set(hit.seq, readPassage(hit, spoken))
    }
  }
  const readNew: Mind['readNew'] = (memories) => {
    const others = memories.filter(({ seq }) => !passages.has(seq))
    return readAll(others.map((memory) => ({ ...memory, shares: [], meaning: 0 })).sort(newerFirst))
  }
  const readUntilNow = (): Read[] => [...passages.values()]
  await readAll(hits)
  const authors = (statistics?.authors ?? []).map(nameOf)
  const known = [...authors, ...readUntilNow().flatMap(({ names }) => names)]
  const asked = readAsked(question, known, spoken, now())
  const mind = { db, mindKey, signal, statistics, passages, readNew }
  await readOfThem(mind, asked)
  const related = { aliases: aliasesIn(readUntilNow(), asked), codes: codesOf(readUntilNow(), asked) }
  await readSaidBy(mind, related.aliases)
  const isOfTime = asked.period !== undefined && !asked.isStill
  const found = readUntilNow()
  const ofPeriod = isOfTime ? await readPeriod(mind, asked, found) : undefined
  const all = [...new Set([...(ofPeriod ?? []), ...found])]
  await readTurnsBefore(mind, all, asked)
  const readings: Reading[] = []
  for (const read of all) {
    await pause()
    readings.push(judge(read, asked, result, beforeIt(read, passages), related))
  }
  const seqs = new Set(ofPeriod?.map(({ hit }) => hit.seq))
  return { asked, readings, inPeriod: ofPeriod && readings.filter(({ hit }) => seqs.has(hit.seq)) }
}

/** What the Mind speaks of it in. */
function mostSpoken(hits: readonly Found[]): Language {
  const counts = new Map<Language, number>()
  for (const { language } of hits) counts.set(language, (counts.get(language) ?? 0) + 1)
  const [[most] = ['en' as const]] = [...counts].sort(([, a], [, b]) => b - a)
  return most
}

const MAX_OF_THEM = 30
const MAX_PARTS = 6

/** The numbers of matters that the passages on whom it names are about. */
function codesOf(reads: readonly Read[], { names }: Asked): ReadonlySet<string> {
  if (names.length === 0) return new Set()
  const theirs = reads.filter(({ sentences }) =>
    names.some((name) => sentences.some(({ subject }) => likeness(name, subject ?? []) === 'same'))
  )
  return new Set(theirs.flatMap(({ hit }) => codesIn(hit.content)))
}

/** What else speaks of whom it names, by each part of their names, where the words of a question needn't stand in its answer. */
async function readOfThem(mind: Mind, { names, forms }: Asked) {
  if (names.length === 0) return
  const { db, mindKey, signal, statistics } = mind
  const parts = [...new Set(forms.flat(2))].slice(0, MAX_PARTS)
  const hits = new Map<number, Memory>()
  for (const part of parts) {
    const found = await searchMind(db, mindKey, part, { limit: MAX_OF_THEM, signal, statistics })
    for (const hit of found.hits) hits.set(hit.seq, hit)
  }
  await mind.readNew([...hits.values()])
  await readSaidBy(mind, names)
}

async function readSaidBy({ db, mindKey, readNew }: Mind, names: readonly Name[]) {
  if (names.length === 0) return
  const isOne = (author: string): boolean => names.some((name) => likeness(name, nameOf(author)) !== 'other')
  await readNew(await newestBy(db, mindKey, isOne, MAX_OF_THEM))
}

/** What was told in the period that is asked about; where nothing was, or a day is asked about, what speaks of it. */
async function readPeriod({ db, mindKey, passages, readNew }: Mind, asked: Asked, found: readonly Read[]) {
  const { period, isOpen } = asked
  if (!period) return [...found]
  const { first, last } = period
  const seqs = new Set(await seqsWithin(db, mindKey, [first, last], MAX_IN_PERIOD))
  await readNew(await memoriesAt(db, mindKey, seqs))
  const told = [...passages.values()].filter(({ hit }) => seqs.has(hit.seq))
  const happening = found.filter(({ hit }) => !seqs.has(hit.seq) && speaksOf(hit, [first, last]))
  return isOpen && told.length > 0 && last - first >= 2 ? told : [...told, ...happening]
}

const speaksOf = ({ dates }: Found, [first, last]: Span): boolean =>
  unpackSpans(dates).some((span) => span[0] <= last && span[1] >= first)

/** The turns before those that name nobody: what an agent confirms is about whom it speaks with. */
async function readTurnsBefore(mind: Mind, reads: readonly Read[], { things }: Asked) {
  const wanted = reads.flatMap((read) => {
    // Of the others it counts only whether the turn before asks.
    const furthest = things.length > 0 || isOfNobody(read) ? LOOKED_BACK : 1
    return placesBefore(read, furthest).filter((seq) => !mind.passages.has(seq))
  })
  if (wanted.length > 0) await mind.readNew(await memoriesAt(mind.db, mind.mindKey, new Set(wanted)))
}

/** The nearest first, as far as its session goes back. */
const placesBefore = ({ hit: { seq, turn } }: Read, most = LOOKED_BACK): number[] =>
  Array.from({ length: Math.min(most, turn) }, (_, back) => seq - back - 1)

/** Names nobody, and is said by nobody who is known. */
const isOfNobody = ({ sentences, hit: { author } }: Read): boolean =>
  sentences.every(({ subject }) => subject === undefined) && (author === null || isNobody(author))

/** What the turns before a passage say of it. */
function beforeIt(read: Read, passages: Mind['passages']): Before {
  const turns = placesBefore(read).map((seq) => passages.get(seq))
  const [previous] = turns
  const people = turns.map((turn) => turn?.sentences.find(({ subject }) => subject)?.subject)
  return {
    person: isOfNobody(read) ? people.find(Boolean) : undefined,
    asking: previous && asks(previous) ? previous.hit : undefined,
    said: turns.map((turn) => turn?.folded ?? '').join('\n')
  }
}
