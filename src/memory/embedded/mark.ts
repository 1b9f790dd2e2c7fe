// How a term stands in a memory, packed into the one number that a posting keeps beside its `seq`: what the ranking
// needs of thousands of postings, without a look at their memories.

export interface Mark {
  /** The memory's place in its session, from 0. */
  turn: number
  /** How many words the memory has, stop words left out. */
  length: number
  /** How often the term stands in it. */
  count: number
  /** Whether the memory asks something. */
  asks: boolean
}

/** A session has no more turns than that: a longer one starts anew. */
export const MAX_TURNS = 256
const MAX_LENGTH = 256
const MAX_COUNT = 16
/** Marks are smaller than this. */
export const MARKS = MAX_TURNS * MAX_LENGTH * MAX_COUNT * 2

/** Longer and more often are as good as long and often. */
export function packMark({ turn, length, count, asks }: Mark): number {
  const lengthAndCount = Math.min(length, MAX_LENGTH - 1) + Math.min(count, MAX_COUNT - 1) * MAX_LENGTH
  return Math.min(turn, MAX_TURNS - 1) + MAX_TURNS * (lengthAndCount + (asks ? MAX_LENGTH * MAX_COUNT : 0))
}

export function unpackMark(mark: number): Mark {
  return {
    turn: mark % MAX_TURNS,
    length: Math.floor(mark / MAX_TURNS) % MAX_LENGTH,
    count: Math.floor(mark / (MAX_TURNS * MAX_LENGTH)) % MAX_COUNT,
    asks: mark >= MAX_TURNS * MAX_LENGTH * MAX_COUNT
  }
}
