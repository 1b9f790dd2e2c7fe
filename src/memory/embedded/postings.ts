// Reads the postings of one Mind. Each term's come as one list: thousands of rows would cost more than all the rest.
import { sql } from 'kysely'
import { compiledOnce, type Slot } from '../../database/compiled.ts'
import type { ReadHandle } from '../../database/database.ts'
import { spelled } from './dialect.ts'
import { MARKS } from './mark.ts'

/** The memories that each term stands in: of each, `seq * MARKS + mark`. A term that stands nowhere may be missing. */
export type Postings = ReadonlyMap<string, readonly number[]>

/** Of a term that more memories have, the newest ones: it hardly tells them apart. */
const MAX_POSTINGS = 20_000

/** The postings of these terms. */
export async function readPostings(
  db: ReadHandle,
  mindKey: number,
  terms: readonly string[]
): Promise<Postings> {
  if (terms.length === 0) return new Map()
  const rows = await postingsOf(db, mindKey, JSON.stringify(terms))
  return new Map(rows.map(({ term, list }) => [term, JSON.parse(list)]))
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

/** The postings of all terms that begin with one of the roots. */
export async function readFamilies(
  db: ReadHandle,
  mindKey: number,
  roots: readonly string[]
): Promise<Postings> {
  if (roots.length === 0) return new Map()
  const ranges = roots.map((root) => [root, `${root}${LAST_CHARACTER}`])
  const rows = await familiesOf(db, mindKey, JSON.stringify(ranges))
  const postings = new Map<string, number[]>()
  for (const { family } of rows) {
    const [terms, places]: [string[], number[]] = JSON.parse(family)
    for (const [index, term] of (terms ?? []).entries()) {
      const place = places[index]
      const known = postings.get(term)
      if (place === undefined) break
      if (known) known.push(place)
      else postings.set(term, [place])
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
