// Every number of the ranking. `npm run bench:fit` fits the features' weights on annotated conversations; what counts is
// how they compare, not how large they are.

/** How much another word counts beside the question's own. */
export const SHARES = {
  group: 0.3, // means nearly the same: `car` for `vehicle`
  kind: 0.35 // is of that kind: `kayaking` for `hobby`
} as const

/** How much a word counts that frames a question rather than saying what it is about: `describe`, `mention`. */
export const FRAME_SHARE = 0.3

/** BM25: how soon repeating a word stops counting, and how much a long memory is held against it. */
export const SATURATION = 1.2
export const LENGTH_PENALTY = 0.5

/** A match also speaks for the memories 1, 2 and 3 turns from it: the answer often is the turn after the question. */
export const SPILL = [1, 0.6, 0.3, 0.15] as const
export const MAX_SEEDS = 300 // the best matches that spill
export const MAX_CANDIDATES = 200 // memories that are looked at closely
export const MAX_DATED = 30 // and those that lie at the question's date, whatever they say
export const MAX_SIMILAR = 50 // and the most similar to the question in meaning, whatever their words
/** Less similar than that is chance; models place a question's answer at 0.3 and above. */
export const CLEARLY_SIMILAR = 0.2

/** Turns around a memory that are read with it, and what each step away takes off. */
export const REACH = 5
export const FADE = 0.7

/** What each feature adds, times its value; nearly all values lie between 0 and 1. */
export const WEIGHTS = {
  coveredBefore: 9, // share of the question, by the rarity of its words, in this memory and the five turns before
  coveredAfter: 3, // the same with the five turns after
  coveredInSession: 2.3, // the same over the whole session
  matches: 1.4, // BM25 of this memory, against what the whole question would score
  nearBestMatch: 1.8, // BM25 of this memory, against the best match of the Mind
  literal: -7.7, // share of the question that stands here in its own words; the rest of the answer is what it asks for
  previous: -1.7, // BM25 of the turn before
  previousAsks: 2.6, // the same where that turn asks something
  next: 0.7, // BM25 of the turn after
  author: 1.4, // 1 when the one author whom the question names says it, -1 when another one does
  atDate: 4.4, // it happened at the question's date
  speaksOfDate: 1.8, // its words speak of the question's date: `last Friday`
  time: 1.8, // the question asks when, and it names a time
  day: 0.9, // the question asks when, and it names a day
  name: 0.8, // names somebody or something: facts have names
  asks: -0.6, // asks something itself
  opens: 0.9, // is the first of its session, where the news is told
  // How similar it is to the question in meaning, of an embedding model, against any memory of the Mind: 0 without a
  // model. Set, not fitted: what words share alone decides as long as both agree.
  similar: 6,
  reranked: 6 // how well it answers, by a gateway's /rerank: 0 without one. Set, too.
} as const

export type Feature = keyof typeof WEIGHTS
