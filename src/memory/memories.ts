// The memories themselves, as they were told; how they are found is the engine's.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { DAY_MS, now } from '../clock.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle } from '../database/database.ts'
import { rowsWhere } from '../database/known.ts'
import { ServiceError } from '../errors.ts'
import type { Owner } from './minds.ts'

export const contentHashOf = (content: string): string => hash('sha256', content)

/** The newest of the same words that holds, if there is any. */
export const findTwin = compiledOnce(
  (db, mindKey: Slot<number>, contentHash: Slot<string>, since: Slot<string>) =>
    db
      .selectFrom('memory')
      .where('mindKey', '=', mindKey)
      .where('contentHash', '=', contentHash)
      .where('createdAt', '>', since)
      .where('supersededBy', 'is', null)
      .select(['id', 'seq', 'createdAt'])
      .orderBy('createdAt', 'desc')
      .limit(1)
)

/** What was told last, newest first; of a long content the beginning. */
export const newestMemories = compiledOnce(
  (db, mindKey: Slot<number>, count: Slot<number>, longest: Slot<number>) =>
    db
      .selectFrom('memory')
      .where('mindKey', '=', mindKey)
      .select((eb) => [
        'id',
        sql<string>`substr(${eb.ref('content')}, 1, ${longest})`.as('content'),
        sql<number>`case when length(${eb.ref('content')}) > ${longest} then 1 else 0 end`.as('isLonger'),
        'opening',
        'occurredAt',
        'createdAt',
        'supersededBy'
      ])
      .orderBy('seq', 'desc')
      .limit(count)
)

/** Those at some places of the Mind, in that order; of a long content the beginning. */
export async function memoriesAt(db: ReadHandle, mindKey: number, seqs: readonly number[], longest: number) {
  if (seqs.length === 0) return []
  const rows = await rowsWhere(db, 'memory', { mindKey })
    .where('seq', 'in', seqs)
    .select(['seq', 'id', 'author', 'occurredAt', 'createdAt', 'supersededBy'])
    .select((eb) => [
      sql<string>`substr(${eb.ref('content')}, 1, ${longest})`.as('content'),
      sql<number>`case when length(${eb.ref('content')}) > ${longest} then 1 else 0 end`.as('isLonger')
    ])
    .execute()
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  return seqs.flatMap((seq) => bySeq.get(seq) ?? [])
}

/** Those of them that were corrected name the memory that did it; of the others nothing is told. */
export async function withCorrections<Row extends { supersededBy: number | null }>(
  db: ReadHandle,
  mindKey: number,
  rows: readonly Row[]
) {
  const seqs = rows.flatMap(({ supersededBy }) => supersededBy ?? [])
  const ids = new Map((await idsAt(db, mindKey, seqs)).map(({ seq, id }) => [seq, id]))
  return rows.map(({ supersededBy, ...row }) => {
    const id = supersededBy === null ? undefined : ids.get(supersededBy)
    return id === undefined ? row : { ...row, supersededBy: id }
  })
}

const idsAt = async (db: ReadHandle, mindKey: number, seqs: readonly number[]) =>
  seqs.length === 0
    ? []
    : rowsWhere(db, 'memory', { mindKey }).where('seq', 'in', seqs).select(['seq', 'id']).execute()

const PAGE = 100
const PAGE_BYTES = 64 * 1024

/** Some memories in the order of telling: no more than a page, nor than so many bytes of them. */
export async function exportPage(db: ReadHandle, mindKey: number, cursor: string | undefined) {
  const after = Number(cursor ?? 0)
  const sizes = await bytesAfter(db, mindKey, after, PAGE)
  let [count, room] = [0, PAGE_BYTES]
  while (room > 0 && count < sizes.length) room -= sizes[count++]?.bytes ?? 0
  const rows = await memoriesAfter(db, mindKey, after, count)
  return {
    memories: (await withCorrections(db, mindKey, rows)).map(({ seq: _, ...memory }) => memory),
    nextCursor: count < sizes.length || count === PAGE ? String(rows.at(-1)?.seq ?? after) : null
  }
}

const bytesAfter = compiledOnce((db, mindKey: Slot<number>, seq: Slot<number>, count: Slot<number>) =>
  after(db, mindKey, seq, count).select(sql<number>`octet_length("content")`.as('bytes'))
)

const memoriesAfter = compiledOnce((db, mindKey: Slot<number>, seq: Slot<number>, count: Slot<number>) =>
  after(db, mindKey, seq, count).select(['seq', 'id', 'content', 'occurredAt', 'createdAt', 'supersededBy'])
)

const after = (db: ReadHandle, mindKey: Slot<number>, seq: Slot<number>, count: Slot<number>) =>
  db.selectFrom('memory').where('mindKey', '=', mindKey).where('seq', '>', seq).orderBy('seq').limit(count)

/** Those of the ids, as many as an answer cites, that are memories of the Mind. */
export async function keptIds(db: ReadHandle, mindKey: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('memory')
    // The sign keeps SQLite from reading the whole Mind for a few ids (measured: 30 ms of one of 50,000).
    .where(sql`+${sql.ref('mindKey')}`, '=', mindKey)
    .where('id', 'in', ids)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

export const findPlace = (db: ReadHandle, { partnerId, customerId }: Owner, memoryId: string) =>
  db
    .selectFrom('memory')
    .innerJoin('mind', 'mind.key', 'memory.mindKey')
    .where('memory.id', '=', memoryId)
    .where('mind.customerId', '=', customerId)
    .where('mind.partnerId', '=', partnerId)
    .select(['mind.id as mindId', 'mind.key as mindKey', 'seq', 'supersededBy'])
    .executeTakeFirst()

/** Clocks and time zones may be a day apart. @throws ServiceError `invalid_input` for what lies further ahead */
export function occurrence(told: string | undefined): string {
  if (told === undefined) return now()
  const at = new Date(told)
  if (at.getTime() <= Date.now() + DAY_MS) return at.toISOString()
  const message =
    'occurredAt lies more than a day ahead. It says when something happened or was said; leave it out for now.'
  throw new ServiceError('invalid_input', message, { field: 'occurredAt' })
}
