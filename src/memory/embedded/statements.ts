// What a remember and a forget write besides the memory itself: compiled once, and each of one text, however many terms
// there are, since a prepared statement for each number of rows would crowd the cache.
import { sql } from 'kysely'
import { compiledOnce, type Slot } from '../../database/compiled.ts'
import { spelled, written } from './dialect.ts'

/** `postings` is a JSON array of `[term, mark]`. */
export const addPostings = compiledOnce(
  (db, mindKey: Slot<number>, seq: Slot<number>, postings: Slot<string>) =>
    spelled(db, {
      sqlite: sql`
        insert into "posting" ("mindKey", "term", "seq", "mark")
        select ${mindKey}, "value"->>0, ${seq}, "value"->>1 from json_each(${postings})`,
      postgres: sql`
        insert into "posting" ("mindKey", "term", "seq", "mark")
        select ${mindKey}::int, "row"->>0, ${seq}::int, ("row"->>1)::int
        from jsonb_array_elements(${postings}::jsonb) as "rows"("row")`
    })
)

/** `terms` is a JSON array. Gives back those that were there. */
export const removePostings = compiledOnce(
  (db, mindKey: Slot<number>, seq: Slot<number>, terms: Slot<string>) =>
    spelled<{ term: string }>(db, {
      sqlite: sql`
        delete from "posting" where "mindKey" = ${mindKey} and "seq" = ${seq}
          and "term" in (select "value" from json_each(${terms})) returning "term"`,
      postgres: sql`
        delete from "posting" where "mindKey" = ${mindKey} and "seq" = ${seq}
          and "term" = any(array(select jsonb_array_elements_text(${terms}::jsonb))) returning "term"`
    })
)

export const addToMind = compiledOnce(
  (db, mindKey: Slot<number>, memories: Slot<number>, terms: Slot<number>) =>
    written(
      db,
      sql`insert into "mindStat" ("mindKey", "memoryCount", "termCount") values (${mindKey}, ${memories}, ${terms})
          on conflict ("mindKey") do update set
            "memoryCount" = "mindStat"."memoryCount" + excluded."memoryCount",
            "termCount" = "mindStat"."termCount" + excluded."termCount"`
    )
)

export const addToAuthor = compiledOnce(
  (db, mindKey: Slot<number>, name: Slot<string>, memories: Slot<number>) =>
    written(
      db,
      sql`insert into "mindAuthor" ("mindKey", "name", "memoryCount") values (${mindKey}, ${name}, ${memories})
          on conflict ("mindKey", "name") do update set
            "memoryCount" = "mindAuthor"."memoryCount" + excluded."memoryCount"`
    )
)
