// Where a question's words stand in a Mind, memory by memory, weighed by statistics of that Mind alone.
import type { Pause, ReadHandle, Tables } from './port.ts'
import { MARKS, type Mark, type Postings, readFamilies, readPostings, unpackMark } from './postings.ts'
import { areFamily, type Concept, rootOf } from './question.ts'
import { FRAME_SHARE, LENGTH_PENALTY, SATURATION, SHARES } from './weights.ts'

/** Of a large Mind these are tens of thousands: kept in columns, they take a tenth of what as many objects would. */
export type Matches = Awaited<ReturnType<typeof findMatches>>
export type Match = NonNullable<ReturnType<Matches['of']>>

const PAGE = 2_000

export async function findMatches(
  db: ReadHandle,
  mindKey: number,
  concepts: readonly Concept[],
  size: Omit<Tables['mindStat'], 'mindKey'>,
  pause: Pause
) {
  const mind = { mindKey, ...size }
  const exact = new Set(concepts.flatMap(({ terms, related }) => [...terms, ...related.keys()]))
  const postings = await readPostings(db, mind, [...exact], pause)
  const roots = new Set(concepts.flatMap(({ stem }) => (stem === '' ? [] : [rootOf(stem)])))
  const families = await readFamilies(db, mind, [...roots], pause)
  const meanLength = size.termCount / size.memoryCount || 1
  const weighed: ReturnType<typeof weigh>[] = []
  const rows = new Map<number, number>()
  let looks = 0
  for (const concept of concepts) {
    await pause()
    const one = weigh(concept, size.memoryCount, postings, families)
    weighed.push(one)
    for (const { places } of one.forms) {
      for (const place of places) {
        looks += 1
        if (looks % PAGE === 0) await pause()
        rowOf(rows, Math.floor(place / MARKS))
      }
    }
  }
  const columns = columnsFor(rows, concepts.length)
  const { sessions, asks, scores, literals, shares } = columns
  for (const [index, { weight, forms }] of weighed.entries()) {
    for (const form of forms) {
      for (const place of form.places) {
        looks += 1
        if (looks % PAGE === 0) await pause()
        const seq = Math.floor(place / MARKS)
        const mark = unpackMark(place % MARKS)
        const row = rowOf(rows, seq)
        const cell = row * concepts.length + index
        if (shares[cell] !== 0) continue
        shares[cell] = form.weight
        sessions[row] = seq - mark.turn
        asks[row] = Number(mark.asks)
        scores[row] = (scores[row] ?? 0) + form.weight * saturation(mark, meanLength)
        if (form.isLiteral) literals[row] = (literals[row] ?? 0) + weight
      }
    }
  }
  return {
    ...columns,
    of: (seq: number) => matchOf(columns, rows, seq),
    ...(await sumUp(columns, pause)),
    weighed: weighed.map(({ weight, forms }) => ({
      weight,
      isKnown: forms.some(({ places }) => places.length > 0)
    })),
    whole: weighed.reduce((sum, { weight }) => sum + weight, 0) || 1
  }
}

/** The place of that number in the order in which numbers were first met. */
function rowOf(rows: Map<number, number>, number: number): number {
  const known = rows.get(number)
  if (known !== undefined) return known
  rows.set(number, rows.size)
  return rows.size - 1
}

type Columns = ReturnType<typeof columnsFor>

const columnsFor = (rows: ReadonlyMap<number, number>, concepts: number) => ({
  concepts,
  seqs: Int32Array.from(rows.keys()),
  sessions: new Int32Array(rows.size),
  asks: new Uint8Array(rows.size),
  scores: new Float64Array(rows.size),
  literals: new Float64Array(rows.size),
  /** How much it counts that a concept stands here, those of all concepts row by row: more for a rare word, or 0. */
  shares: new Float64Array(rows.size * concepts)
})

function matchOf(columns: Columns, rows: ReadonlyMap<number, number>, seq: number) {
  const row = rows.get(seq)
  if (row === undefined) return undefined
  const { concepts, sessions, asks, scores, literals, shares } = columns
  return {
    session: sessions[row] ?? 0,
    asks: asks[row] === 1,
    shares: shares.subarray(row * concepts, (row + 1) * concepts),
    score: scores[row] ?? 0,
    literal: literals[row] ?? 0
  }
}

function weigh(concept: Concept, memoryCount: number, postings: Postings, families: Postings) {
  const { terms, related, stem, isFrame } = concept
  const share = isFrame ? FRAME_SHARE : 1
  const placesOf = (term: string): readonly number[] => postings.get(term) ?? []
  const weight = share * rarity(Math.max(...terms.map((term) => placesOf(term).length)), memoryCount)
  const forms = terms.map((term) => ({ term, places: placesOf(term), weight, isLiteral: true }))
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

async function sumUp({ concepts, sessions, scores, shares }: Columns, pause: Pause) {
  const rows = new Map<number, number>()
  for (const session of sessions) rowOf(rows, session)
  const bestShares = new Float64Array(rows.size * concepts)
  let bestScore = 0
  for (let row = 0; row < scores.length; row += 1) {
    if (row % PAGE === 0) await pause()
    bestScore = Math.max(bestScore, scores[row] ?? 0)
    const best = rowOf(rows, sessions[row] ?? 0) * concepts
    for (let index = 0; index < concepts; index += 1) {
      bestShares[best + index] = Math.max(bestShares[best + index] ?? 0, shares[row * concepts + index] ?? 0)
    }
  }
  const coveredBySession = new Map<number, number>()
  for (const [session, row] of rows) {
    let covered = 0
    for (let index = 0; index < concepts; index += 1) covered += bestShares[row * concepts + index] ?? 0
    coveredBySession.set(session, covered)
  }
  return { coveredBySession, bestScore }
}
