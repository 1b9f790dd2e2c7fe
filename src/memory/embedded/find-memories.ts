// Memories themselves, without an answer: the newest first, or the best for a query, of those that all filters let through.
import { sql } from 'kysely'
import { analyseQuestion } from './analyse.ts'
import type { Searcher } from './embeddings/searcher.ts'
import { fold } from './fold.ts'
import { isNamedIn, nameOf } from './names.ts'
import type { Found, MemoryTime, Pause, ReadHandle, Slot, Tables, Wanted } from './port.ts'
import { compiledOnce, inSlices } from './port.ts'
import { MARKS, readPostings } from './postings.ts'
import { memoriesOf, mindSize } from './search-store.ts'

/** Of one query, over all of its pages. */
const MAX_RANKED = 200
/** As many as a search can judge: filters choose among all of them. */
const MAX_JUDGED = 600
/** Memories that one page looks at, in some 40 ms; a larger Mind goes on at the next page. */
const MAX_LOOKED_AT = 10_000
const WINDOW = 250
/** Of a longer memory the beginning tells what it names. */
const READ_LENGTH = 4_000

const FIRST_TIME = '0000-01-01T00:00:00.000Z'
const LAST: MemoryTime = { occurredAt: '9999-12-31T23:59:59.999Z', seq: 2 ** 31 - 1 }

type Places = Pick<Found, 'seqs' | 'next'>
type Fits = (memory: MemoryTime & Pick<Tables['memory'], 'author' | 'content'>) => boolean

export async function findMemories(
  db: ReadHandle,
  mindKey: number,
  { query, position, limit, ...wanted }: Wanted,
  searcher: Searcher,
  signal: AbortSignal
): Promise<Places> {
  const pause = inSlices(signal)
  const fits = filterOf(wanted)
  const authors = wanted.author && (await authorNamed(db, mindKey, fold(wanted.author.trim())))
  if (authors?.length === 0) return { seqs: [], next: null }
  const newest = (count: number, start: MemoryTime, also: Fits) =>
    searcher.share(() => newestFirst(db, mindKey, { ...wanted, limit: count, start, fits: also }, pause))
  if (query === undefined) return newest(limit, position && 'seq' in position ? position : LAST, fits)
  let others: Places['seqs'] = []
  if (Object.values(wanted).some(Boolean)) {
    // What is likeliest in the whole Mind may be nothing that the filters let through.
    const asked = await searcher.share(() => seqsWith(db, mindKey, analyseQuestion(query).terms, pause))
    const both: Fits = (memory) => asked.has(memory.seq) && fits(memory)
    others = asked.size > 0 ? (await newest(MAX_RANKED, LAST, both)).seqs : []
  }
  const given = position && 'given' in position ? position.given : []
  const { hits } = await searcher.search(query, MAX_JUDGED, { also: others, isPaid: false })
  const left = hits
    .filter((hit) => hit.isMatch && !given.includes(hit.seq) && fits(hit))
    .slice(0, Math.max(0, MAX_RANKED - given.length))
  const seqs = left.slice(0, limit).map(({ seq }) => seq)
  return { seqs, next: left.length > limit ? { given: [...given, ...seqs] } : null }
}

interface Walk extends Pick<Wanted, 'since' | 'until' | 'limit'> {
  start: MemoryTime
  fits: Fits
}

async function newestFirst(
  db: ReadHandle,
  mindKey: number,
  { since = FIRST_TIME, until = LAST.occurredAt, limit, start, fits }: Walk,
  pause: Pause
): Promise<Places> {
  const seqs: number[] = []
  // One bound: of two, a database may begin at the higher one. No memory has the place 0.
  let last = start.occurredAt < until ? start : { occurredAt: until, seq: 0 }
  for (let looked = 0, count = limit + 1; looked < MAX_LOOKED_AT; looked += count, count = WINDOW) {
    const rows = await memoriesBefore(db, mindKey, since, last.occurredAt, last.seq, count)
    for (const row of rows) {
      await pause()
      const isWanted = fits(row)
      if (isWanted && seqs.length === limit) return { seqs, next: last }
      if (isWanted) seqs.push(row.seq)
      last = { seq: row.seq, occurredAt: row.occurredAt }
    }
    if (rows.length < count) return { seqs, next: null }
  }
  return { seqs, next: last }
}

const memoriesBefore = compiledOnce(
  (
    db,
    mindKey: Slot<number>,
    since: Slot<string>,
    at: Slot<string>,
    seq: Slot<number>,
    count: Slot<number>
  ) =>
    memoriesOf(db, mindKey)
      .where('occurredAt', '>=', since)
      .where(sql<boolean>`("occurredAt", "seq") < (${at}, ${seq})`)
      .select([
        'seq',
        'occurredAt',
        'author',
        sql<string>`substr("content", 1, ${sql.lit(READ_LENGTH)})`.as('content')
      ])
      .orderBy('occurredAt', 'desc')
      .orderBy('seq', 'desc')
      .limit(count)
)

const authorNamed = compiledOnce((db, mindKey: Slot<number>, name: Slot<string>) =>
  db.selectFrom('mindAuthor').where('mindKey', '=', mindKey).where('name', '=', name).select('name')
)

async function seqsWith(db: ReadHandle, mindKey: number, terms: readonly string[], pause: Pause) {
  const [size] = await mindSize(db, mindKey)
  const postings = size && (await readPostings(db, { mindKey, ...size }, terms, pause))
  const places = [...(postings?.values() ?? [])].flat()
  return new Set(places.map((place) => Math.floor(place / MARKS)))
}

function filterOf({
  since = FIRST_TIME,
  until = LAST.occurredAt,
  author,
  about
}: Omit<Wanted, 'limit'>): Fits {
  const name = author && fold(author.trim())
  const named = about === undefined ? undefined : nameOf(about)
  return (memory) =>
    memory.occurredAt >= since &&
    memory.occurredAt < until &&
    (name === undefined || (memory.author !== null && fold(memory.author) === name)) &&
    (named === undefined ||
      (named.length > 0 && isNamedIn(named, fold(memory.content.slice(0, READ_LENGTH)))))
}
