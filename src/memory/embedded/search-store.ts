// What a search reads of a Mind besides its postings.
import { sql } from 'kysely'
import { DAY_MS } from '../../clock.ts'
import type { Span } from './dates.ts'
import type { Candidate } from './features.ts'
import { asJson, compiledOnce, isPostgres, type ReadHandle, type Slot, written } from './port.ts'

export const memoriesOf = (db: ReadHandle, mindKey: Slot<number>) =>
  db.selectFrom('memory').where('mindKey', '=', mindKey)

export const mindSize = compiledOnce((db, mindKey: Slot<number>) =>
  db.selectFrom('mindStat').where('mindKey', '=', mindKey).select(['memoryCount', 'termCount'])
)

export type Statistics = Awaited<ReturnType<typeof statisticsOf>>

/**
 * How much the Mind holds, and who said most of it, as `fold` spells them: further ones aren't known by name. Nothing while
 * it holds nothing.
 */
export async function statisticsOf(db: ReadHandle, mindKey: number) {
  const [row] = await statistics(db, mindKey)
  if (!row) return undefined
  const authors: { name: string }[] = JSON.parse(row.authors)
  return { ...row, authors: authors.map(({ name }) => name) }
}

const KNOWN_AUTHORS = 100

const statistics = compiledOnce((db, mindKey: Slot<number>) =>
  db
    .selectFrom('mindStat')
    .where('mindKey', '=', mindKey)
    .select(['memoryCount', 'termCount'])
    .select(asJson(db, authorsBy(db, mindKey).limit(KNOWN_AUTHORS), ['name']).as('authors'))
)

/** Those who said most first. */
const authorsBy = (db: ReadHandle, mindKey: Slot<number>) =>
  db
    .selectFrom('mindAuthor')
    .where('mindKey', '=', mindKey)
    .select('name')
    .orderBy('memoryCount', 'desc')
    .orderBy('name')

export const topAuthors = compiledOnce((db, mindKey: Slot<number>, count: Slot<number>) =>
  authorsBy(db, mindKey).limit(count)
)

export async function candidatesAt(db: ReadHandle, mindKey: number, seqs: readonly number[]) {
  const [judged] = await judgedAt(db, mindKey, JSON.stringify(seqs))
  const candidates: Candidate[] = JSON.parse(judged?.list ?? '[]')
  return candidates
}

const judgedAt = compiledOnce((db, mindKey: Slot<number>, seqs: Slot<string>) => {
  const judged = memoriesOf(db, mindKey).where('seq', 'in', listed(db, seqs)).select(JUDGED)
  return written(db, sql<{ list: string }>`select ${asJson(db, judged, JUDGED)} as "list"`)
})

const JUDGED = ['seq', 'turn', 'author', 'traits', 'dates', 'occurredAt'] as const

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
  const told = await saidBy(db, mindKey, LOOKED_THROUGH)
  const seqs = told.flatMap(({ author, seqs }) => (isOne(author) ? seqs.split(',').map(Number) : []))
  return memoriesAt(db, mindKey, seqs.sort((a, b) => b - a).slice(0, count))
}

const saidBy = compiledOnce((db, mindKey: Slot<number>, count: Slot<number>) =>
  db
    .selectFrom(
      memoriesOf(db, mindKey).select(['seq', 'author']).orderBy('seq', 'desc').limit(count).as('told')
    )
    .where('author', 'is not', null)
    .select('author')
    .$narrowType<{ author: string }>()
    // A row of each author, since there are thousands of memories.
    .select(
      (isPostgres(db) ? sql<string>`string_agg("seq"::text, ',')` : sql<string>`group_concat("seq", ',')`).as(
        'seqs'
      )
    )
    .groupBy('author')
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
