// What a search reads of a Mind besides its postings.
import { sql } from 'kysely'
import { DAY_MS } from '../../clock.ts'
import type { Span } from './dates.ts'
import type { Candidate } from './features.ts'
import { compiledOnce, isPostgres, type ReadHandle, type Slot, written } from './port.ts'

export const memoriesOf = (db: ReadHandle, mindKey: Slot<number>) =>
  db.selectFrom('memory').where('mindKey', '=', mindKey)

export const mindSize = compiledOnce((db, mindKey: Slot<number>) =>
  db.selectFrom('mindStat').where('mindKey', '=', mindKey).select(['memoryCount', 'termCount'])
)

/** Those who said most first, as `fold` spells them; further ones aren't known by name. */
export async function authorsOf(db: ReadHandle, mindKey: number, count = 100): Promise<string[]> {
  const rows = await topAuthors(db, mindKey, count)
  return rows.map(({ name }) => name)
}

const topAuthors = compiledOnce((db, mindKey: Slot<number>, count: Slot<number>) =>
  db
    .selectFrom('mindAuthor')
    .where('mindKey', '=', mindKey)
    .select('name')
    .orderBy('memoryCount', 'desc')
    .orderBy('name')
    .limit(count)
)

export async function candidatesAt(db: ReadHandle, mindKey: number, seqs: readonly number[]) {
  const [judged] = await judgedAt(db, mindKey, JSON.stringify(seqs))
  const candidates: Candidate[] = JSON.parse(judged?.list ?? '[]')
  return candidates
}

/** All in one row: hundreds of rows would take twice the time. */
const judgedAt = compiledOnce((db, mindKey: Slot<number>, seqs: Slot<string>) =>
  memoriesOf(db, mindKey)
    .where('seq', 'in', listed(db, seqs))
    .select(
      (isPostgres(db)
        ? sql<string>`coalesce(json_agg(json_build_object(${JUDGED})), '[]')::text`
        : sql<string>`json_group_array(json_object(${JUDGED}))`
      ).as('list')
    )
)

const JUDGED = sql`'seq', "seq", 'turn', "turn", 'author', "author",
  'traits', "traits", 'dates', "dates", 'occurredAt', "occurredAt"`

export const memoriesAt = (db: ReadHandle, mindKey: number, seqs: Iterable<number>) =>
  readAt(db, mindKey, JSON.stringify([...seqs]))

const readAt = compiledOnce((db, mindKey: Slot<number>, seqs: Slot<string>) =>
  memoriesOf(db, mindKey)
    .where('seq', 'in', listed(db, seqs))
    .select(['id as memoryId', 'seq', 'turn', 'content', 'author', 'language', 'dates', 'occurredAt'])
    .select('supersededBy')
)

/**
 * With each memory that was corrected the one that holds in its place, right before it; a correction may be corrected, too.
 * None comes twice.
 */
export async function withCorrections<Told extends { seq: number; supersededBy: number | null }>(
  db: ReadHandle,
  mindKey: number,
  memories: readonly Told[]
) {
  const corrected = memories.filter(({ supersededBy }) => supersededBy !== null)
  if (corrected.length === 0) return [...memories]
  const places = await holdingPlaces(db, mindKey, corrected)
  const read = await memoriesAt(db, mindKey, new Set(places.values()))
  const readAt = new Map(read.map((memory) => [memory.seq, memory]))
  const bySeq = new Map(memories.map((memory) => [memory.seq, memory]))
  const all = memories.flatMap((memory) => {
    const place = places.get(memory.seq) ?? memory.seq
    const holding = bySeq.get(place) ?? readAt.get(place)
    return holding ? [holding, memory] : [memory]
  })
  return [...new Map(all.map((one) => [one.seq, one])).values()]
}

/** By the `seq` of each that was corrected. */
async function holdingPlaces(
  db: ReadHandle,
  mindKey: number,
  corrected: readonly { seq: number }[]
): Promise<ReadonlyMap<number, number>> {
  const rows = await linksFrom(db, mindKey, JSON.stringify(corrected.map(({ seq }) => seq)))
  const next = new Map(rows.map(({ seq, supersededBy }) => [seq, supersededBy]))
  return new Map(
    corrected.map(({ seq }) => {
      let end = seq
      for (let by = next.get(end); by !== null && by !== undefined; by = next.get(end)) end = by
      return [seq, end]
    })
  )
}

/** All that corrected them, one after the other: in one statement, for there may have been a thousand. */
const linksFrom = compiledOnce((db, mindKey: Slot<number>, seqs: Slot<string>) =>
  written(
    db,
    sql<{ seq: number; supersededBy: number | null }>`with recursive "link" as (
      select "seq", "supersededBy" from "memory" where "mindKey" = ${mindKey} and "seq" in ${listed(db, seqs)}
      union
      select "memory"."seq", "memory"."supersededBy"
      from "link" join "memory" on "memory"."mindKey" = ${mindKey} and "memory"."seq" = "link"."supersededBy"
    ) select "seq", "supersededBy" from "link"`
  )
)

/** Newest memories that are looked through for what somebody said. */
const LOOKED_THROUGH = 2_000

/** What was said last by those whom `isOne` knows. */
export async function newestBy(
  db: ReadHandle,
  mindKey: number,
  isOne: (author: string) => boolean,
  count: number
) {
  const told = await newestTold(db, mindKey, LOOKED_THROUGH)
  const authors = new Set(told.flatMap(({ author }) => author ?? []))
  const theirs = new Set([...authors].filter(isOne))
  const seqs = told.flatMap(({ author, seq }) => (author !== null && theirs.has(author) ? seq : []))
  return memoriesAt(db, mindKey, seqs.slice(0, count))
}

const newestTold = compiledOnce((db, mindKey: Slot<number>, count: Slot<number>) =>
  memoriesOf(db, mindKey).select(['seq', 'author']).orderBy('seq', 'desc').limit(count)
)

/** The numbers of a JSON array, for `in`. */
const listed = (db: ReadHandle, numbers: Slot<string>) =>
  isPostgres(db)
    ? sql<number>`(select "value"::int from jsonb_array_elements_text(${numbers}::jsonb) as "listed"("value"))`
    : sql<number>`(select "value" from json_each(${numbers}))`

export async function seqsWithin(db: ReadHandle, mindKey: number, [first, last]: Span, count: number) {
  const timeOf = (day: number): string => new Date(day * DAY_MS).toISOString()
  const rows = await memoriesBetween(db, mindKey, timeOf(first), timeOf(last + 1), count)
  return rows.map(({ seq }) => seq)
}

const memoriesBetween = compiledOnce(
  (db, mindKey: Slot<number>, from: Slot<string>, to: Slot<string>, count: Slot<number>) =>
    memoriesOf(db, mindKey)
      .where('occurredAt', '>=', from)
      .where('occurredAt', '<', to)
      .select('seq')
      .orderBy('occurredAt')
      .orderBy('seq')
      .limit(count)
)

export const timesOf = compiledOnce((db, mindKey: Slot<number>) =>
  memoriesOf(db, mindKey).select((eb) => [
    eb.fn.min('occurredAt').as('first'),
    eb.fn.max('occurredAt').as('last')
  ])
)
