// Where a question's words stand in a Mind, memory by memory, weighed by statistics of that Mind alone.
import type { ReadHandle } from '../../database/database.ts'
import type { Pause } from '../../slices.ts'
import { areFamily, type Concept, rootOf } from './concepts.ts'
import { MARKS, type Mark, unpackMark } from './mark.ts'
import { type Postings, readFamilies, readPostings } from './postings.ts'
import { FRAME_SHARE, LENGTH_PENALTY, SATURATION, SHARES } from './weights.ts'

/** A memory that has words of the question. */
export interface Match {
  seq: number
  /** The first memory of its session. */
  session: number
  asks: boolean
  /** For each concept, how much it counts that it stands here: more for a rare word, less for a related one, or 0. */
  shares: Float64Array
  /** BM25 of the memory. */
  score: number
  /** How much of the question stands here in its own words. */
  literal: number
}

export interface Matches {
  bySeq: ReadonlyMap<number, Match>
  /** How much of the question stands in each session. */
  coveredBySession: ReadonlyMap<number, number>
  bestScore: number
  /** What all concepts together count; more than 0. */
  whole: number
}

export interface MindSize {
  memoryCount: number
  termCount: number
}

/** Rows that are gone through between two pauses. */
const PAGE = 2_000

export async function findMatches(
  db: ReadHandle,
  mindKey: number,
  concepts: readonly Concept[],
  size: MindSize,
  pause: Pause
): Promise<Matches> {
  const mind = { mindKey, ...size }
  const exact = new Set(concepts.flatMap(({ terms, related }) => [...terms, ...related.keys()]))
  const postings = await readPostings(db, mind, [...exact], pause)
  const roots = new Set(concepts.flatMap(({ stem }) => (stem === '' ? [] : [rootOf(stem)])))
  const families = await readFamilies(db, mind, [...roots], pause)
  const meanLength = size.termCount / size.memoryCount || 1
  const bySeq = new Map<number, Match>()
  let whole = 0
  let row = 0
  for (const [index, concept] of concepts.entries()) {
    await pause()
    const { weight, forms } = weigh(concept, size.memoryCount, postings, families)
    whole += weight
    for (const form of forms) {
      for (const place of form.places) {
        row += 1
        if (row % PAGE === 0) await pause()
        const mark = unpackMark(place % MARKS)
        const match = matchAt(bySeq, Math.floor(place / MARKS), mark, concepts.length)
        if (match.shares[index] !== 0) continue
        match.shares[index] = form.weight
        match.score += form.weight * saturation(mark, meanLength)
        if (form.isLiteral) match.literal += weight
      }
    }
  }
  return { bySeq, ...(await sumUp(bySeq, concepts.length, pause)), whole: whole || 1 }
}

interface Form {
  term: string
  places: readonly number[]
  weight: number
  isLiteral: boolean
}

/** The terms that speak for a concept, those that count most first. */
function weigh(
  { terms, related, stem, isFrame }: Concept,
  memoryCount: number,
  postings: Postings,
  families: Postings
): { weight: number; forms: Form[] } {
  const share = isFrame ? FRAME_SHARE : 1
  const placesOf = (term: string): readonly number[] => postings.get(term) ?? []
  const weight = share * rarity(Math.max(...terms.map((term) => placesOf(term).length)), memoryCount)
  const forms = terms.map((term): Form => ({ term, places: placesOf(term), weight, isLiteral: true }))
  const add = (term: string, places: readonly number[], part: number): void => {
    if (places.length === 0 || terms.includes(term)) return
    const own = share * rarity(places.length, memoryCount)
    forms.push({ term, places, weight: part * Math.min(own, weight), isLiteral: false })
  }
  for (const [term, part] of related) add(term, placesOf(term), part)
  if (stem !== '') {
    for (const [term, places] of families) if (areFamily(stem, term)) add(term, places, SHARES.family)
  }
  return { weight, forms: forms.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)) }
}

/** What it tells that a memory has a word which so many have. */
const rarity = (count: number, memoryCount: number): number =>
  Math.log(1 + Math.max(memoryCount - count + 0.5, 0.5) / (count + 0.5))

const saturation = ({ count, length }: Mark, meanLength: number): number =>
  (count * (SATURATION + 1)) /
  (count + SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * length) / meanLength))

function matchAt(bySeq: Map<number, Match>, seq: number, { turn, asks }: Mark, concepts: number): Match {
  const known = bySeq.get(seq)
  if (known) return known
  const shares = new Float64Array(concepts)
  const match: Match = { seq, session: seq - turn, asks, shares, score: 0, literal: 0 }
  bySeq.set(seq, match)
  return match
}

async function sumUp(
  bySeq: ReadonlyMap<number, Match>,
  concepts: number,
  pause: Pause
): Promise<Pick<Matches, 'coveredBySession' | 'bestScore'>> {
  const bestShares = new Map<number, Float64Array>()
  let bestScore = 0
  let row = 0
  for (const { session, shares, score } of bySeq.values()) {
    row += 1
    if (row % PAGE === 0) await pause()
    bestScore = Math.max(bestScore, score)
    let best = bestShares.get(session)
    if (!best) {
      best = new Float64Array(concepts)
      bestShares.set(session, best)
    }
    for (let index = 0; index < concepts; index += 1) {
      best[index] = Math.max(best[index] ?? 0, shares[index] ?? 0)
    }
  }
  const coveredBySession = new Map<number, number>()
  for (const [session, shares] of bestShares) {
    coveredBySession.set(
      session,
      shares.reduce((total, share) => total + share, 0)
    )
  }
  return { coveredBySession, bestScore }
}
