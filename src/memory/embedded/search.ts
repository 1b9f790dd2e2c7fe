// Finds what a Mind holds on a question. Reads rows of that Mind only, so nobody else's memories can move its ranking.
import { dayOf, type PartialDate, spanOf, yearOf } from './dates.ts'
import type { Similarities } from './embeddings/similarities.ts'
import { featuresOf, scoreOf } from './features.ts'
import { findMatches, type Matches } from './matches.ts'
import { inSlices, type ReadHandle } from './port.ts'
import { readQuestion } from './question.ts'
import {
  candidatesAt,
  memoriesAt,
  type Statistics,
  seqsWithin,
  statisticsOf,
  timesOf
} from './search-store.ts'
import type { Feature } from './weights.ts'
import { CLEARLY_SIMILAR, MAX_CANDIDATES, MAX_DATED, MAX_SEEDS, SPILL } from './weights.ts'

export type SearchResult = Awaited<ReturnType<typeof searchMind>>
export type Hit = SearchResult['hits'][number]

interface SearchOptions {
  limit: number
  signal?: AbortSignal | undefined
  similarities?: Similarities | undefined
  /** How well memories answer by a gateway's `/rerank`, by their `seq`. */
  reranked?: ReadonlyMap<number, number> | undefined
  /** Of the Mind, where the caller has them from another search. */
  statistics?: Statistics
}

/** The best hits first; of equal ones the newer. */
export async function searchMind(db: ReadHandle, mindKey: number, question: string, options: SearchOptions) {
  const { limit, signal, similarities, reranked } = options
  const pause = inSlices(signal)
  const statistics = options.statistics ?? (await statisticsOf(db, mindKey))
  if (!statistics) return { hits: [], concepts: [], statistics }
  await pause()
  const asked = readQuestion(question, statistics.authors)
  await pause()
  const matches = await findMatches(db, mindKey, asked.concepts, statistics, pause)
  const dated = await datedSeqs(db, mindKey, asked.dates)
  const seqs = new Set([...candidatesOf(matches), ...dated, ...(similarities?.likeliest ?? [])])
  await pause()
  const candidates = await candidatesAt(db, mindKey, [...seqs])
  await pause()
  const judged = candidates
    .map((candidate) => {
      const { seq, occurredAt } = candidate
      const judgements = { similar: similarities?.of(seq) ?? 0, reranked: reranked?.get(seq) ?? 0 }
      const features = featuresOf(candidate, asked, matches, judgements)
      return { seq, occurredAt, features, score: scoreOf(features) }
    })
    .filter(({ features }) => isRelated(features))
    .sort((a, b) => b.score - a.score || newerFirst(a, b))
  return {
    hits: await hitsOf(db, mindKey, judged.slice(0, limit), matches),
    /** The question's words as they were looked for, in the order of every hit's `shares`. */
    concepts: matches.weighed.map(({ weight, isKnown }, index) => {
      return { terms: asked.concepts[index]?.terms ?? [], weight, isKnown }
    }),
    statistics
  }
}

type Told = Pick<Hit, 'seq' | 'occurredAt'>

/** What was told last of what happened at once. */
export const newerFirst = (a: Told, b: Told): number =>
  a.occurredAt === b.occurredAt ? b.seq - a.seq : a.occurredAt < b.occurredAt ? 1 : -1

/** A neighbour of a match may turn out to stand in the session after it, where nothing matches. */
const isRelated = ({ coveredInSession, atDate, similar }: Record<Feature, number>): boolean =>
  coveredInSession > 0 || atDate > 0 || similar >= CLEARLY_SIMILAR

/** By what it says itself, not by what stands around it. */
const isMatch = ({ matches, atDate, similar }: Record<Feature, number>): boolean =>
  matches > 0 || atDate > 0 || similar >= CLEARLY_SIMILAR

async function hitsOf(
  db: ReadHandle,
  mindKey: number,
  ranked: readonly (Judged & { seq: number })[],
  matches: Matches
) {
  const seqs = ranked.map(({ seq }) => seq)
  const memories = await memoriesAt(db, mindKey, seqs)
  const bySeq = new Map(memories.map((memory) => [memory.seq, memory]))
  return ranked.flatMap(({ seq, score, features }) => {
    const memory = bySeq.get(seq)
    if (!memory) return []
    /** How much of each concept stands in the memory itself, in the unit of the concept's weight. */
    const shares = matches.of(seq)?.shares ?? []
    const meaning = Math.max(features.similar, features.reranked)
    return [{ ...memory, score, isMatch: isMatch(features), features, shares, meaning }]
  })
}

/** A month without a year is looked up in this many years. */
const MAX_YEARS = 3

async function datedSeqs(db: ReadHandle, mindKey: number, dates: readonly PartialDate[]): Promise<number[]> {
  if (dates.length === 0) return []
  const [times] = await timesOf(db, mindKey)
  if (!times?.first || !times.last) return []
  const lastYear = yearOf(dayOf(times.last))
  const firstYear = Math.max(yearOf(dayOf(times.first)), lastYear - MAX_YEARS + 1)
  const seqs: number[] = []
  for (const date of dates) {
    for (let year = date.year ?? lastYear; year >= (date.year ?? firstYear); year -= 1) {
      seqs.push(...(await seqsWithin(db, mindKey, spanOf(date, year), MAX_DATED)))
    }
  }
  return seqs
}

/** The best matches and their neighbours; by their `seq`, the likeliest first. */
function candidatesOf({ seqs, sessions, scores }: Matches): number[] {
  // Numbers alone sort in a tenth of the time that matches take.
  const least = Float64Array.from(scores).sort().at(-MAX_SEEDS) ?? 0
  const seeds = [...seqs]
    .flatMap((seq, row) => {
      const [session = 0, score = 0] = [sessions[row], scores[row]]
      return score < least ? [] : [{ seq, session, score }]
    })
    .sort((a, b) => b.score - a.score || a.seq - b.seq)
  const likelihoods = new Map<number, number>()
  for (const { seq, session, score } of seeds.slice(0, MAX_SEEDS)) {
    for (let distance = 1 - SPILL.length; distance < SPILL.length; distance += 1) {
      const neighbour = seq + distance
      // Where its session ends, only the memories after it could tell.
      if (neighbour < session) continue
      const share = SPILL[Math.abs(distance)] ?? 0
      likelihoods.set(neighbour, (likelihoods.get(neighbour) ?? 0) + score * share)
    }
  }
  return [...likelihoods]
    .sort(([a, likelihoodOfA], [b, likelihoodOfB]) => likelihoodOfB - likelihoodOfA || a - b)
    .slice(0, MAX_CANDIDATES)
    .map(([seq]) => seq)
}

interface Judged {
  features: Readonly<Record<Feature, number>>
  score: number
}
