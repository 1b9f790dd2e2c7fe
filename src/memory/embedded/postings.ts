// Reads the postings of one Mind. Each term's come as one list: thousands of rows would cost more than all the rest.
import { sql } from 'kysely'
import type { Pause, ReadHandle, Slot, Tables } from './port.ts'
import { compiledOnce, isPostgres, spelled } from './port.ts'

type MindStat = Tables['mindStat']

/** The memories that each term stands in: of each, `seq * MARKS + mark`. A term that stands nowhere may be missing. */
export type Postings = ReadonlyMap<string, readonly number[]>

/** Of a term that more memories have, the newest ones: it hardly tells them apart. */
const MAX_POSTINGS = 20_000

/** Postings of one statement, about: SQLite reads them in some 5 ms, and nobody has a turn before. */
const PAGE = 20_000

export async function readPostings(db: ReadHandle, mind: MindStat, terms: readonly string[], pause: Pause) {
  const postings = new Map<string, readonly number[]>()
  const most = Math.max(1, Math.min(mind.memoryCount, MAX_POSTINGS))
  // On PostgreSQL reading keeps nobody here.
  const size = isPostgres(db) ? terms.length : Math.max(1, Math.floor(PAGE / most))
  for (let start = 0; start < terms.length; start += size) {
    const page = JSON.stringify(terms.slice(start, start + size))
    for (const { term, list } of await postingsOf(db, mind.mindKey, page)) {
      postings.set(term, JSON.parse(list))
      await pause()
    }
  }
  return postings
}

const postingsOf = compiledOnce((db, mindKey: Slot<number>, terms: Slot<string>) =>
  spelled<{ term: string; list: string }>(db, {
    sqlite: sql`
      select "value" as "term", (
        select json_group_array("place") from (
          select "seq" * ${sql.lit(MARKS)} + "mark" as "place" from "posting"
          where "mindKey" = ${mindKey} and "term" = "asked"."value"
          order by "seq" desc limit ${sql.lit(MAX_POSTINGS)}
        )
      ) as "list"
      from json_each(${terms}) as "asked"`,
    postgres: sql`
      select "asked"."term", coalesce((
        select json_agg("place") from (
          select "seq"::bigint * ${sql.lit(MARKS)} + "mark" as "place" from "posting"
          where "mindKey" = ${mindKey} and "posting"."term" = "asked"."term"
          order by "seq" desc limit ${sql.lit(MAX_POSTINGS)}
        ) as "places"
      )::text, '[]') as "list"
      from jsonb_array_elements_text(${terms}::jsonb) as "asked"("term")`
  })
)

// How a term stands in a memory, in one number: what the ranking needs of thousands, without a look at any of them.

export interface Mark {
  turn: number
  length: number
  count: number
  asks: boolean
}

/** A session has no more turns than that: a longer one starts anew. */
export const MAX_TURNS = 256
const MAX_LENGTH = 256
const MAX_COUNT = 16
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
