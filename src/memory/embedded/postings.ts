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
  const postings = new Map<string, number[]>()
  for (const page of pagesOf(db, terms, mind.memoryCount)) {
    for (const { term, list } of await postingsOf(db, mind.mindKey, JSON.stringify(page))) {
      postings.set(term, JSON.parse(list))
      await pause()
    }
  }
  return postings
}

/** As many at once as have no more postings than a page, each `most` of them; on PostgreSQL reading keeps nobody here. */
function pagesOf(db: ReadHandle, asked: readonly string[], most: number): string[][] {
  const each = Math.max(1, Math.min(most, MAX_POSTINGS))
  const size = isPostgres(db) ? asked.length : Math.max(1, Math.floor(PAGE / each))
  const pages: string[][] = []
  for (let start = 0; start < asked.length; start += size) pages.push(asked.slice(start, start + size))
  return pages
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

export async function readFamilies(db: ReadHandle, mind: MindStat, roots: readonly string[], pause: Pause) {
  const postings = new Map<string, number[]>()
  for (const page of pagesOf(db, roots, mind.termCount)) {
    const ranges = page.map((root) => [root, `${root}${LAST_CHARACTER}`])
    for (const { family } of await familiesOf(db, mind.mindKey, JSON.stringify(ranges))) {
      const [terms, places]: [string[], number[]] = JSON.parse(family)
      for (const [index, term] of (terms ?? []).entries()) {
        const place = places[index]
        const known = postings.get(term)
        if (place === undefined) break
        if (known) known.push(place)
        else postings.set(term, [place])
      }
      await pause()
    }
  }
  return postings
}

/** Sorts behind every other in both databases, which compare terms by their bytes. */
const LAST_CHARACTER = '\u{10ffff}'

const familiesOf = compiledOnce((db, mindKey: Slot<number>, ranges: Slot<string>) =>
  spelled<{ family: string }>(db, {
    sqlite: sql`
      select (
        select json_array(json_group_array("term"), json_group_array("place")) from (
          select "term", "seq" * ${sql.lit(MARKS)} + "mark" as "place" from "posting"
          where "mindKey" = ${mindKey}
            and "term" > "asked"."value"->>0 and "term" < "asked"."value"->>1
          order by "term", "seq" limit ${sql.lit(MAX_POSTINGS)}
        )
      ) as "family"
      from json_each(${ranges}) as "asked"`,
    postgres: sql`
      select (
        select json_build_array(json_agg("term"), json_agg("place")) from (
          select "term", "seq"::bigint * ${sql.lit(MARKS)} + "mark" as "place" from "posting"
          where "mindKey" = ${mindKey}
            and "term" > "asked"."range"->>0 and "term" < "asked"."range"->>1
          order by "term", "seq" limit ${sql.lit(MAX_POSTINGS)}
        ) as "places"
      )::text as "family"
      from jsonb_array_elements(${ranges}::jsonb) as "asked"("range")`
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
