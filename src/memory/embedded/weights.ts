// Every number of the ranking. The features' weights were fitted on annotated conversations, each judged by weights
// that had not seen it; what counts is how they compare, not how large they are.

/** How much another word counts beside the question's own. */
export const SHARES = {
  /** Means nearly the same: `car` for `vehicle`. */
  group: 0.3,
  /** Is of that kind: `kayaking` for `hobby`. */
  kind: 0.35,
  /** Begins alike: `musician` for `music`. */
  family: 0.4
} as const

/** How much a word counts that frames a question rather than saying what it is about: `describe`, `mention`. */
export const FRAME_SHARE = 0.3

/** BM25: how soon repeating a word stops counting, and how much a long memory is held against it. */
export const SATURATION = 1.2
export const LENGTH_PENALTY = 0.5

/** A match also speaks for the memories 1, 2 and 3 turns from it: the answer often is the turn after the question. */
export const SPILL = [1, 0.6, 0.3, 0.15] as const
/** The best matches that spill. */
export const MAX_SEEDS = 300
/** Memories that are looked at closely. */
export const MAX_CANDIDATES = 200
/** And those that lie at the question's date, whatever they say. */
export const MAX_DATED = 30

/** And those that are the most similar to the question in what they mean, whatever their words. */
export const MAX_SIMILAR = 50
/** Less similar than that is chance; models place a question's answer at 0.3 and above. */
export const CLEARLY_SIMILAR = 0.2

/** Turns around a memory that are read with it, and what each step away takes off. */
export const REACH = 5
export const FADE = 0.7

/** What each feature adds, times its value; nearly all values lie between 0 and 1. */
export const WEIGHTS = {
  /** Share of the question, by the rarity of its words, in this memory and the five turns before. */
  coveredBefore: 7.4,
  /** The same with the five turns after. */
  coveredAfter: 2.5,
  /** The same over the whole session. */
  coveredInSession: 2.3,
  /** BM25 of this memory, against what the whole question would score. */
  matches: 0.8,
  /** BM25 of this memory, against the best match of the Mind. */
  nearBestMatch: 1.2,
  /** Share of the question that stands here in its own words; the rest of the answer is what it asks for. */
  literal: -5.3,
  /** BM25 of the turn before. */
  previous: -1.6,
  /** The same where that turn asks something. */
  previousAsks: 2.3,
  /** BM25 of the turn two before. */
  secondBefore: 0.7,
  /** BM25 of the turn after. */
  next: 0.6,
  /** 1 when the one author whom the question names says it, -1 when another one does. */
  author: 1.2,
  /** It happened at the question's date. */
  atDate: 4.7,
  /** Its words speak of the question's date: `last Friday`. */
  speaksOfDate: 1.9,
  /** The question asks when, and it names a time. */
  time: 1.6,
  /** The question asks when, and it names a day. */
  day: 0.9,
  /** The question asks where, and it names a place. */
  place: 0.8,
  /** The question asks how many, and it names a number. */
  number: 1,
  /** The question asks why, and it names a reason. */
  reason: 1,
  /** Names somebody or something: facts have names. */
  name: 0.6,
  /** Speaks of whoever says it. */
  firstPerson: 0.3,
  /** Asks something itself. */
  asks: -0.5,
  /** Is the first of its session, where the news is told. */
  opens: 0.8,
  /**
   * How similar it is to the question in what both mean, of an embedding model, against how similar any memory of the
   * Mind is: 0 without a model. Set, not fitted: what words share alone decides as long as both agree.
   */
  similar: 6
} as const

export type Feature = keyof typeof WEIGHTS
