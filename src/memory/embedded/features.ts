// What speaks for a memory as the answer: each feature of `weights.ts`, by name.
import { dayOf, type PartialDate, type Span, spanOf, unpackSpans, yearOf } from './dates.ts'
import { fold } from './fold.ts'
import type { Match, Matches } from './matches.ts'
import type { Tables } from './port.ts'
import type { Question } from './question.ts'
import { hasTrait } from './traits.ts'
import { FADE, type Feature, REACH, WEIGHTS } from './weights.ts'

export type Candidate = Pick<Tables['memory'], 'seq' | 'turn' | 'author' | 'traits' | 'dates' | 'occurredAt'>

/** A loop: with a function for each feature a search took a twentieth longer. */
export function scoreOf(features: Record<Feature, number>): number {
  let score = 0
  for (const feature of FEATURES) score += WEIGHTS[feature] * features[feature]
  return score
}

const FEATURES = Object.keys(WEIGHTS) as Feature[]

/** @param judged by models, as far as there are any */
export function featuresOf(
  candidate: Candidate,
  question: Question,
  matches: Matches,
  judged: Pick<Record<Feature, number>, 'similar' | 'reranked'>
) {
  const { author, asksWhen, dates, concepts } = question
  const { turn, traits } = candidate
  const { whole, bestScore } = matches
  const around = neighboursOf(candidate, matches)
  const own = around[REACH]
  const before = around[REACH - 1]
  const previous = (before?.score ?? 0) / whole
  return {
    coveredBefore: coverage(around, -1, concepts.length) / whole,
    coveredAfter: coverage(around, 1, concepts.length) / whole,
    coveredInSession: matches.coveredIn(candidate.seq - turn) / whole,
    matches: (own?.score ?? 0) / whole,
    nearBestMatch: (own?.score ?? 0) / (bestScore || 1),
    literal: (own?.literal ?? 0) / whole,
    previous,
    previousAsks: before?.asks ? previous : 0,
    next: (around[REACH + 1]?.score ?? 0) / whole,
    author: author === null || candidate.author === null ? 0 : fold(candidate.author) === author ? 1 : -1,
    atDate: isAtDate(candidate, dates) ? 1 : 0,
    speaksOfDate: isAboutDate(candidate, dates) ? 1 : 0,
    time: asksWhen && hasTrait(traits, 'time') ? 1 : 0,
    day: asksWhen && candidate.dates !== null ? 1 : 0,
    name: hasTrait(traits, 'name') ? 1 : 0,
    asks: hasTrait(traits, 'asks') ? 1 : 0,
    opens: turn === 0 ? 1 : 0,
    ...judged
  } satisfies Record<Feature, number>
}

/** The matches from `REACH` turns before to `REACH` after, none where the session has ended or nothing matches. */
function neighboursOf({ seq, turn }: Candidate, { of }: Matches): (Match | undefined)[] {
  const around: (Match | undefined)[] = []
  for (let distance = -REACH; distance <= REACH; distance += 1) {
    const match = of(seq + distance)
    around.push(match?.session === seq - turn ? match : undefined)
  }
  return around
}

/** How much of the question stands in the middle one and those that follow in a direction; what is further counts less. */
function coverage(around: readonly (Match | undefined)[], direction: 1 | -1, concepts: number): number {
  let covered = 0
  for (let index = 0; index < concepts; index += 1) {
    let best = 0
    for (let distance = 0, faded = 1; distance <= REACH; distance += 1, faded *= FADE) {
      best = Math.max(best, faded * (around[REACH + direction * distance]?.shares[index] ?? 0))
    }
    covered += best
  }
  return covered
}

/** A memory that speaks of much more than the time in question doesn't speak of it. */
const LOOSEST_SPAN_DAYS = 8

function isAtDate({ occurredAt }: Candidate, dates: readonly PartialDate[]): boolean {
  if (dates.length === 0) return false
  const day = dayOf(occurredAt)
  return dates.some((date) => isWithin(day, spanOf(date, yearOf(day))))
}

function isAboutDate({ dates: packed }: Candidate, dates: readonly PartialDate[]): boolean {
  if (packed === null || dates.length === 0) return false
  const spans = unpackSpans(packed)
  return dates.some((date) => spans.some((span) => speaksOf(span, spanOf(date, yearOf(span[0])))))
}

const isWithin = (day: number, [first, last]: Span): boolean => day >= first && day <= last

const speaksOf = (spoken: Span, asked: Span): boolean =>
  spoken[0] <= asked[1] &&
  spoken[1] >= asked[0] &&
  spoken[1] - spoken[0] <= Math.max(LOOSEST_SPAN_DAYS, (asked[1] - asked[0]) * 1.2)
