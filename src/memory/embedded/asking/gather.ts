// The passages that a question is answered from, each read: what the search found, what was told in the time that the
// question means, and what else was said by or of whom it names.
import { now } from '../../../clock.ts'
import { type Span, unpackSpans } from '../dates.ts'
import type { Language } from '../language.ts'
import { inSlices, type Pause, type ReadHandle } from '../port.ts'
import { newerFirst, type SearchResult, searchMind } from '../search.ts'
import { memoriesAt, newestBy, type Statistics, seqsWithin } from '../search-store.ts'
import { type Asked, readAsked } from './asked.ts'
import { likeness, type Name, nameOf } from './names.ts'
import {
  asks,
  codesIn,
  type Found,
  isNobody,
  judge,
  type Read,
  type Reading,
  readPassage
} from './readings.ts'
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
  /** Reads what isn't among those that are read already. */
  readNew(memories: readonly Memory[], reads: readonly Read[]): Promise<Read[]>
}

export async function gather(
  db: ReadHandle,
  mindKey: number,
  question: string,
  result: SearchResult,
  signal: AbortSignal
) {
  const pause = inSlices(signal)
  const { statistics } = result
  const authors = (statistics?.authors ?? []).map(nameOf)
  const spoken = mostSpoken(result.hits)
  const reads = await readAll(result.hits, spoken, pause)
  const known = [...authors, ...reads.flatMap(({ names }) => names)]
  const asked = readAsked(question, known, spoken, now())
  const readNew: Mind['readNew'] = (memories, known) => readAll(unread(memories, known), spoken, pause)
  const mind = { db, mindKey, signal, statistics, readNew }
  const theirs = [...reads, ...(await readOfThem(mind, asked, reads))]
  const aliases = aliasesIn(theirs, asked)
  const found = [...theirs, ...(await readSaidBy(mind, aliases, theirs))]
  const codes = codesOf(theirs, asked)
  const isOfTime = asked.period !== undefined && !asked.isStill
  const ofPeriod = isOfTime ? await readPeriod(mind, asked, found) : undefined
  const all = [...new Set([...(ofPeriod ?? []), ...found])]
  const before = await turnsBefore(mind, all, asked)
  const readings: Reading[] = []
  for (const read of all) {
    await pause()
    const turns = {
      person: personBefore(read, before),
      asking: askingBefore(read, before),
      said: saidBefore(read, before)
    }
    readings.push(judge(read, asked, result, turns, { aliases, codes }))
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

async function readAll(hits: readonly Found[], spoken: Language, pause: Pause): Promise<Read[]> {
  const reads: Read[] = []
  for (const hit of hits) {
    await pause()
    reads.push(readPassage(hit, spoken))
  }
  return reads
}

const MAX_OF_THEM = 30
const MAX_PARTS = 6

/** The numbers of matters that the passages on whom it names are about. */
function codesOf(reads: readonly Read[], { names }: Asked): ReadonlySet<string> {
  const theirs = reads.filter(({ sentences }) =>
    names.some((name) => sentences.some(({ subject }) => likeness(name, subject ?? []) === 'same'))
  )
  return new Set(theirs.flatMap(({ hit }) => codesIn(hit.content)))
}

/** What else speaks of whom it names, by each part of their names, where the words of a question needn't stand in its answer. */
async function readOfThem(mind: Mind, { names, forms }: Asked, reads: readonly Read[]) {
  if (names.length === 0) return []
  const { db, mindKey, signal, statistics } = mind
  const parts = [...new Set(forms.flat(2))].slice(0, MAX_PARTS)
  const hits = new Map<number, Found>()
  for (const part of parts) {
    const found = await searchMind(db, mindKey, part, { limit: MAX_OF_THEM, signal, statistics })
    for (const hit of found.hits) hits.set(hit.seq, hit)
  }
  const mentions = await mind.readNew([...hits.values()], reads)
  return [...mentions, ...(await readSaidBy(mind, names, [...reads, ...mentions]))]
}

async function readSaidBy({ db, mindKey, readNew }: Mind, names: readonly Name[], reads: readonly Read[]) {
  if (names.length === 0) return []
  const isOne = (author: string): boolean => names.some((name) => likeness(name, nameOf(author)) !== 'other')
  return readNew(await newestBy(db, mindKey, isOne, MAX_OF_THEM), reads)
}

/** Those that aren't read yet, as hits of no word of the question. */
function unread(memories: readonly Memory[], reads: readonly Read[]): Found[] {
  const known = new Set(reads.map(({ hit }) => hit.seq))
  return memories
    .filter(({ seq }) => !known.has(seq))
    .map((memory) => ({ ...memory, shares: [], meaning: 0 }))
    .sort(newerFirst)
}

/** What was told in the period that is asked about; where nothing was, or a day is asked about, what speaks of it. */
async function readPeriod({ db, mindKey, readNew }: Mind, { period, isOpen }: Asked, reads: readonly Read[]) {
  if (!period) return [...reads]
  const { first, last } = period
  const bySeq = new Map(reads.map((read) => [read.hit.seq, read]))
  const seqs = await seqsWithin(db, mindKey, [first, last], MAX_IN_PERIOD)
  const others = seqs.filter((seq) => !bySeq.has(seq))
  const more = await readNew(await memoriesAt(db, mindKey, others), reads)
  const told = [...seqs.flatMap((seq) => bySeq.get(seq) ?? []), ...more]
  const happening = reads.filter((read) => !told.includes(read) && speaksOf(read.hit, [first, last]))
  if (!isOpen) return [...told, ...happening]
  return told.length === 0 || last - first < 2 ? [...told, ...happening] : told
}

const speaksOf = ({ dates }: Found, [first, last]: Span): boolean =>
  unpackSpans(dates).some((span) => span[0] <= last && span[1] >= first)

/** The turns before those that name nobody: what an agent confirms is about whom it speaks with. */
async function turnsBefore(
  { db, mindKey, readNew }: Mind,
  reads: readonly Read[],
  { things }: Asked
): Promise<ReadonlyMap<number, Read>> {
  const known = new Map(reads.map((read) => [read.hit.seq, read]))
  const wanted = new Set<number>()
  for (const read of reads) {
    // Of the others it counts only whether the turn before asks.
    const furthest = things.length > 0 || isOfNobody(read) ? LOOKED_BACK : 1
    for (let back = 1; back <= Math.min(furthest, read.hit.turn); back += 1) {
      if (!known.has(read.hit.seq - back)) wanted.add(read.hit.seq - back)
    }
  }
  if (wanted.size === 0) return known
  const more = await readNew(await memoriesAt(db, mindKey, wanted), reads)
  for (const read of more) known.set(read.hit.seq, read)
  return known
}

function saidBefore({ hit }: Read, before: ReadonlyMap<number, Read>): string {
  const turns = Array.from({ length: Math.min(LOOKED_BACK, hit.turn) }, (_, back) =>
    before.get(hit.seq - back - 1)
  )
  return turns.map((read) => read?.folded ?? '').join('\n')
}

function askingBefore({ hit }: Read, before: ReadonlyMap<number, Read>): Found | undefined {
  const previous = hit.turn === 0 ? undefined : before.get(hit.seq - 1)
  return previous && asks(previous) ? previous.hit : undefined
}

/** Names nobody, and is said by nobody who is known. */
const isOfNobody = ({ sentences, hit: { author } }: Read): boolean =>
  sentences.every(({ subject }) => subject === undefined) && (author === null || isNobody(author))

function personBefore(read: Read, before: ReadonlyMap<number, Read>): Name | undefined {
  if (!isOfNobody(read)) return undefined
  for (let back = 1; back <= Math.min(LOOKED_BACK, read.hit.turn); back += 1) {
    const subject = before.get(read.hit.seq - back)?.sentences.find((sentence) => sentence.subject)?.subject
    if (subject) return subject
  }
  return undefined
}
