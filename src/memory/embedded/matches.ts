// Where a question's words stand in a Mind, memory by memory, weighed by statistics of that Mind alone.
import type { Pause, ReadHandle, Tables } from './port.ts'
import { MARKS, type Mark, type Postings, readPostings, unpackMark } from './postings.ts'
import type { Concept } from './question.ts'
import { FRAME_SHARE, LENGTH_PENALTY, SATURATION } from './weights.ts'

export type Matches = Awaited<ReturnType<typeof findMatches>>
export type Match = NonNullable<ReturnType<Matches['of']>>

const PAGE = 2_000
/** Rows that there is room for from the beginning, at most. */
const ROOM = 10_000

export async function findMatches(
  db: ReadHandle,
  mindKey: number,
  concepts: readonly Concept[],
  size: Omit<Tables['mindStat'], 'mindKey'>,
  pause: Pause
) {
  const exact = new Set(concepts.flatMap(({ terms, related }) => [...terms, ...related.keys()]))
  const postings = await readPostings(db, { mindKey, ...size }, [...exact], pause)
  const weighed = concepts.map((concept) => weigh(concept, size.memoryCount, postings))
  const meanLength = size.termCount / size.memoryCount || 1
  // Of a large Mind these are tens of thousands: kept in columns, they take a tenth of what as many objects would.
  const room = Math.min(size.memoryCount, ROOM) || 1
  const memories = sharesOf(concepts.length, room)
  const sessions = sharesOf(concepts.length, room)
  const firsts: number[] = []
  const asks: boolean[] = []
  const scores: number[] = []
  const literals: number[] = []
  let looks = 0
  for (const [concept, { weight, forms }] of weighed.entries()) {
    for (const form of forms) {
      for (const place of form.places) {
        looks += 1
        if (looks % PAGE === 0) await pause()
        const seq = Math.floor(place / MARKS)
        const mark = unpackMark(place % MARKS)
        // The forms that count most come first.
        const row = memories.note(seq, concept, form.weight)
        if (row === undefined) continue
        firsts[row] = seq - mark.turn
        sessions.note(seq - mark.turn, concept, form.weight)
        asks[row] = mark.asks
        scores[row] = (scores[row] ?? 0) + form.weight * saturation(mark, meanLength)
        literals[row] = (literals[row] ?? 0) + (form.isLiteral ? weight : 0)
      }
    }
  }
  return {
    seqs: memories.rows.keys(),
    sessions: firsts,
    scores,
    bestScore: scores.reduce((best, score) => Math.max(best, score), 0),
    of(seq: number) {
      const row = memories.rows.get(seq)
      if (row === undefined) return undefined
      const [session = 0, score = 0, literal = 0] = [firsts[row], scores[row], literals[row]]
      return { session, asks: asks[row] === true, shares: memories.of(seq), score, literal }
    },
    coveredIn: (session: number) => sessions.of(session).reduce((sum, share) => sum + share, 0),
    weighed: weighed.map(({ weight, forms }) => ({
      weight,
      isKnown: forms.some(({ places }) => places.length > 0)
    })),
    whole: weighed.reduce((sum, { weight }) => sum + weight, 0) || 1
  }
}

/** How much it counts that a concept stands there, in a row of all concepts: more for a rare word, or 0. */
function sharesOf(concepts: number, room: number) {
  const rows = new Map<number, number>()
  let shares = new Float64Array(room * concepts)
  return {
    rows,
    /** The number's row; nothing where the concept is known to stand already. */
    note(number: number, concept: number, share: number): number | undefined {
      const row = rows.get(number) ?? rows.size
      if (row === rows.size) {
        rows.set(number, row)
        // Memories may have been told since the Mind was counted.
        if (rows.size * concepts > shares.length) {
          const fewer = shares
          shares = new Float64Array(2 * fewer.length)
          shares.set(fewer)
        }
      }
      const cell = row * concepts + concept
      if (shares[cell] !== 0) return undefined
      shares[cell] = share
      return row
    },
    of(number: number): readonly number[] {
      const row = rows.get(number)
      return row === undefined ? [] : [...shares.subarray(row * concepts, (row + 1) * concepts)]
    }
  }
}

function weigh({ terms, related, isFrame }: Concept, memoryCount: number, postings: Postings) {
  const share = isFrame ? FRAME_SHARE : 1
  const placesOf = (term: string): readonly number[] => postings.get(term) ?? []
  const weightOf = (count: number): number => share * rarity(count, memoryCount)
  const weight = weightOf(Math.max(...terms.map((term) => placesOf(term).length)))
  const own = terms.map((term) => ({ term, places: placesOf(term), weight, isLiteral: true }))
  const others = [...related].flatMap(([term, part]) => {
    const places = placesOf(term)
    if (places.length === 0 || terms.includes(term)) return []
    return [{ term, places, weight: part * Math.min(weightOf(places.length), weight), isLiteral: false }]
  })
  const forms = [...own, ...others].sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
  return { weight, forms }
}

/** What it tells that a memory has a word which so many have. */
const rarity = (count: number, memoryCount: number): number =>
  Math.log(1 + Math.max(memoryCount - count + 0.5, 0.5) / (count + 0.5))

const saturation = ({ count, length }: Mark, meanLength: number): number =>
  (count * (SATURATION + 1)) /
  (count + SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * length) / meanLength))
