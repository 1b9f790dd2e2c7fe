// The rows by which memories are found: the memory, its postings and what the ranking knows of its Mind as a whole.
import { type Generated, sql } from 'kysely'
import { MINUTE_MS } from '../../clock.ts'
import { type AnalysedText, analyse } from './analyse.ts'
import { splitAuthor } from './author.ts'
import { dayOf, packSpans, type Span } from './dates.ts'
import { sentencesOf } from './facts/sentences.ts'
import { fold } from './fold.ts'
import type { Language } from './language.ts'
import type { Slot, Tables, WriteHandle } from './port.ts'
import { compiledOnce, insertOf, shorten, spelled, toOneLine, written } from './port.ts'
import { MAX_TURNS, packMark } from './postings.ts'
import { memoriesOf } from './search-store.ts'
import { hasTrait, traitsOf } from './traits.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    memory: {
      mindKey: number
      /** The order in which the Mind was told, from 1: greater than that of every memory before. */
      seq: number
      id: string
      content: string
      /** SHA-256 of the content, hex: the same words within a day are stored once. */
      contentHash: string
      /** Who said it, where the content begins with `Name: `. */
      author: string | null
      /** The content's own language, ISO 639-1, as far as it could be told. */
      language: Language
      /** Its first sentence on one line, as the snapshot shows it. */
      opening: string
      /** How many words it has, stop words left out. */
      termCount: number
      postingCount: number
      /** Its place in its session, from 0: `seq - turn` is the session's first memory. */
      turn: number
      /** What the ranking knows of its words, see src/memory/embedded/traits.ts. */
      traits: number
      /** The days that its words speak of, where they name any, see src/memory/embedded/dates.ts. */
      dates: string | null
      /** The last day that they speak of and that lies after its own; of whole days only, not of weeks or months. */
      ahead: number | null
      /** The `seq` of the memory that corrected it: it stays as what was said, and holds no more. */
      supersededBy: Generated<number | null>
      occurredAt: string
      createdAt: string
    }
    posting: {
      mindKey: number
      term: string
      seq: number
      /** How it stands there, see src/memory/embedded/postings.ts. */
      mark: number
    }
    mindStat: {
      mindKey: number
      memoryCount: number
      termCount: number
    }
    mindAuthor: {
      mindKey: number
      /** Folded, so that all spellings of a name are one. */
      name: string
      memoryCount: number
    }
  }
}

type NewMemory = Pick<Tables['memory'], 'seq' | 'id' | 'content' | 'contentHash' | 'occurredAt' | 'createdAt'>

const SESSION_GAP_MS = 30 * MINUTE_MS

export async function insertMemory(
  tx: WriteHandle,
  mindKey: number,
  memory: NewMemory,
  { author, language, terms, termCount, spans }: AnalysedText & { spans: readonly Span[] }
): Promise<void> {
  const traits = traitsOf(memory.content)
  const dates = packSpans(spans)
  const ahead = lastDayAhead(spans, memory.occurredAt)
  const opening = openingOf(memory.content)
  const turn = await turnInSession(tx, mindKey, memory)
  const found = { author, language, termCount, postingCount: terms.size, traits, dates, ahead, opening }
  await insertRow(tx, [{ mindKey, ...memory, turn, ...found }])
  const asks = hasTrait(traits, 'asks')
  const postings = [...terms].map(([term, count]) => [
    term,
    packMark({ turn, length: termCount, count, asks })
  ])
  await addPostings(tx, mindKey, memory.seq, JSON.stringify(postings))
  await count(tx, mindKey, 1, { author, termCount })
}

const insertRow = insertOf('memory', [
  ...(['mindKey', 'seq', 'id', 'content', 'contentHash', 'occurredAt', 'createdAt', 'turn'] as const),
  ...(['author', 'language', 'termCount', 'postingCount', 'traits', 'dates', 'ahead', 'opening'] as const)
])

function lastDayAhead(spans: readonly Span[], occurredAt: string): number | null {
  const days = spans.flatMap(([first, last]) => (first === last && first > dayOf(occurredAt) ? [first] : []))
  return days.length === 0 ? null : Math.max(...days)
}

/** The memory's place in the session of the one told before it, or 0 in one of its own. */
async function turnInSession(tx: WriteHandle, mindKey: number, { seq, occurredAt }: NewMemory) {
  const [previous] = await memoryBefore(tx, mindKey, seq)
  if (!previous) return 0
  const gapMs = Math.abs(Date.parse(occurredAt) - Date.parse(previous.occurredAt))
  // What was forgotten between the two leaves its place open.
  const turn = previous.turn + seq - previous.seq
  return gapMs > SESSION_GAP_MS || turn >= MAX_TURNS ? 0 : turn
}

const memoryBefore = compiledOnce((db, mindKey: Slot<number>, seq: Slot<number>) =>
  memoriesOf(db, mindKey)
    .where('seq', '<', seq)
    .select(['seq', 'turn', 'occurredAt'])
    .orderBy('seq', 'desc')
    .limit(1)
)

type Counted = Pick<Tables['memory'], 'author' | 'termCount'>

async function count(tx: WriteHandle, mindKey: number, memories: 1 | -1, { author, termCount }: Counted) {
  await addToMind(tx, mindKey, memories, memories * termCount)
  if (author !== null) await addToAuthor(tx, mindKey, fold(author), memories)
}

/** Has that memory stand as corrected by another from now on, or holding again. */
export async function setSuperseded(
  tx: WriteHandle,
  mindKey: number,
  seq: number,
  supersededBy: number | null
) {
  await tx
    .updateTable('memory')
    .set({ supersededBy })
    .where('mindKey', '=', mindKey)
    .where('seq', '=', seq)
    .execute()
}

/**
 * Passes what a memory corrected on to the one that corrected it in turn; where there is none it holds again.
 * @returns those that it had corrected
 */
export async function passOnCorrected(tx: WriteHandle, mindKey: number, seq: number): Promise<number[]> {
  const rows = await tx
    .updateTable('memory')
    .set((eb) => ({
      supersededBy: eb
        .selectFrom('memory as own')
        .where('own.mindKey', '=', mindKey)
        .where('own.seq', '=', seq)
        .select('own.supersededBy')
    }))
    .where('mindKey', '=', mindKey)
    .where('supersededBy', '=', seq)
    .returning('seq')
    .execute()
  return rows.map((row) => row.seq)
}

/** Takes a memory away as if it had never been; one that isn't there changes nothing. */
export async function deleteMemory(tx: WriteHandle, mindKey: number, seq: number): Promise<void> {
  const memory = await tx
    .deleteFrom('memory')
    .where('mindKey', '=', mindKey)
    .where('seq', '=', seq)
    .returning(['content', 'author', 'termCount', 'postingCount'])
    .executeTakeFirst()
  if (!memory) return
  const terms = [...analyse(memory.content).terms.keys()]
  const removed = await removePostings(tx, mindKey, seq, JSON.stringify(terms))
  // Told by an older way of telling terms: the whole Mind is looked through.
  if (removed.length !== memory.postingCount)
    await tx.deleteFrom('posting').where('mindKey', '=', mindKey).where('seq', '=', seq).execute()
  await count(tx, mindKey, -1, memory)
  for (const table of ['mindStat', 'mindAuthor'] as const) {
    await tx.deleteFrom(table).where('mindKey', '=', mindKey).where('memoryCount', '<=', 0).execute()
  }
}

// Each of one text, however many terms there are: a prepared statement for each number of rows would crowd the cache.

/** `postings` is a JSON array of `[term, mark]`. */
const addPostings = compiledOnce((db, mindKey: Slot<number>, seq: Slot<number>, postings: Slot<string>) =>
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
const removePostings = compiledOnce((db, mindKey: Slot<number>, seq: Slot<number>, terms: Slot<string>) =>
  spelled<{ term: string }>(db, {
    sqlite: sql`
        delete from "posting" where "mindKey" = ${mindKey} and "seq" = ${seq}
          and "term" in (select "value" from json_each(${terms})) returning "term"`,
    postgres: sql`
        delete from "posting" where "mindKey" = ${mindKey} and "seq" = ${seq}
          and "term" = any(array(select jsonb_array_elements_text(${terms}::jsonb))) returning "term"`
  })
)

const addToMind = compiledOnce((db, mindKey: Slot<number>, memories: Slot<number>, terms: Slot<number>) =>
  written(
    db,
    sql`insert into "mindStat" ("mindKey", "memoryCount", "termCount") values (${mindKey}, ${memories}, ${terms})
          on conflict ("mindKey") do update set
            "memoryCount" = "mindStat"."memoryCount" + excluded."memoryCount",
            "termCount" = "mindStat"."termCount" + excluded."termCount"`
  )
)

const addToAuthor = compiledOnce((db, mindKey: Slot<number>, name: Slot<string>, memories: Slot<number>) =>
  written(
    db,
    sql`insert into "mindAuthor" ("mindKey", "name", "memoryCount") values (${mindKey}, ${name}, ${memories})
          on conflict ("mindKey", "name") do update set
            "memoryCount" = "mindAuthor"."memoryCount" + excluded."memoryCount"`
  )
)

const LOOKED_AT = 400

const MAX_LENGTH = 160

function openingOf(content: string): string {
  const { author, body } = splitAuthor(content.slice(0, LOOKED_AT).toWellFormed().trim())
  const sentence = sentencesOf(body).find((one) => toOneLine(one) !== '') ?? ''
  return shorten(toOneLine(`${author === null ? '' : `${author}: `}${sentence}`), MAX_LENGTH)
}
