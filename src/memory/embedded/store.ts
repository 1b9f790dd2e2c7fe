// The rows by which memories are found: the memory, its postings and what the ranking knows of its Mind as a whole.
import { MINUTE_MS } from '../../clock.ts'
import { compiledOnce, type Slot } from '../../database/compiled.ts'
import type { WriteHandle } from '../../database/database.ts'
import { type AnalysedText, analyse } from './analyse.ts'
import { fold } from './fold.ts'
import { MAX_TURNS, packMark } from './mark.ts'
import { openingOf } from './opening.ts'
import { packSpans, spansIn } from './relative-dates.ts'
import { addPostings, addToAuthor, addToMind, removePostings } from './statements.ts'
import { ASKS, traitsOf } from './traits.ts'

export interface NewMemory {
  /** From the Mind's counter: greater than that of every memory it was told before. */
  seq: number
  id: string
  content: string
  contentHash: string
  occurredAt: string
  createdAt: string
}

/** A longer silence ends a session. */
const SESSION_GAP_MS = 30 * MINUTE_MS

/** Keeps a memory and makes it findable, in the caller's transaction. */
export async function insertMemory(
  tx: WriteHandle,
  mindKey: number,
  memory: NewMemory,
  { author, language, terms, termCount }: AnalysedText
): Promise<void> {
  const traits = traitsOf(memory.content)
  const dates = packSpans(spansIn(memory.content, memory.occurredAt))
  const opening = openingOf(memory.content)
  const turn = await nextTurn(tx, mindKey, memory)
  await tx
    .insertInto('memory')
    .values({
      ...{ mindKey, ...memory, author, language, termCount, turn, traits, dates, opening },
      postingCount: terms.size
    })
    .execute()
  const asks = (traits & ASKS) !== 0
  const postings = [...terms].map(([term, count]) => [
    term,
    packMark({ turn, length: termCount, count, asks })
  ])
  await addPostings(tx, mindKey, memory.seq, JSON.stringify(postings))
  await count(tx, mindKey, { author, memories: 1, terms: termCount })
}

/** The memory's place in the session of the one told before it, or 0 in one of its own. */
async function nextTurn(tx: WriteHandle, mindKey: number, { seq, occurredAt }: NewMemory): Promise<number> {
  const [previous] = await memoryBefore(tx, mindKey, seq)
  if (!previous) return 0
  const gapMs = Math.abs(Date.parse(occurredAt) - Date.parse(previous.occurredAt))
  // What was forgotten between the two leaves its place open.
  const turn = previous.turn + seq - previous.seq
  return gapMs > SESSION_GAP_MS || turn >= MAX_TURNS ? 0 : turn
}

const memoryBefore = compiledOnce((db, mindKey: Slot<number>, seq: Slot<number>) =>
  db
    .selectFrom('memory')
    .where('mindKey', '=', mindKey)
    .where('seq', '<', seq)
    .select(['seq', 'turn', 'occurredAt'])
    .orderBy('seq', 'desc')
    .limit(1)
)

interface Counted {
  author: string | null
  memories: 1 | -1
  terms: number
}

async function count(tx: WriteHandle, mindKey: number, { author, memories, terms }: Counted): Promise<void> {
  await addToMind(tx, mindKey, memories, terms)
  if (author !== null) await addToAuthor(tx, mindKey, fold(author), memories)
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
  await deletePostings(tx, mindKey, seq, memory)
  await count(tx, mindKey, { author: memory.author, memories: -1, terms: -memory.termCount })
  for (const table of ['mindStat', 'mindAuthor'] as const) {
    await tx.deleteFrom(table).where('mindKey', '=', mindKey).where('memoryCount', '<=', 0).execute()
  }
}

/**
 * By its terms a memory's postings are found at once. Should they have been told by an older way of telling terms, the
 * count shows it, and the whole Mind is looked through.
 */
async function deletePostings(
  tx: WriteHandle,
  mindKey: number,
  seq: number,
  { content, postingCount }: { content: string; postingCount: number }
): Promise<void> {
  const terms = [...analyse(content).terms.keys()]
  const removed = await removePostings(tx, mindKey, seq, JSON.stringify(terms))
  if (removed.length === postingCount) return
  await tx.deleteFrom('posting').where('mindKey', '=', mindKey).where('seq', '=', seq).execute()
}
