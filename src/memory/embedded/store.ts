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

declare module '../../database/tables.ts' {
  interface Tables {
    memory: {
      mindKey: number
      /** The order in which the Mind was told, from 1. */
      seq: number
      id: string
      content: string
      /** SHA-256 of the content, hex: the same words within a day are stored once. */
      contentHash: string
      /** Who said it, where the content begins with `Name: `. */
      author: string | null
      /** The content's own language, ISO 639-1, as far as it could be told. */
      language: string
      /** Its first sentence on one line, as the snapshot shows it. */
      opening: string
      /** How many words it has, stop words left out. */
      termCount: number
      /** How many rows of `posting` it has. */
      postingCount: number
      /** Its place in its session, from 0: `seq - turn` is the session's first memory. */
      turn: number
      /** What the ranking knows of its words, see src/memory/embedded/traits.ts. */
      traits: number
      /** The days that its words speak of, where they name any, see src/memory/embedded/dates.ts. */
      dates: string | null
      occurredAt: string
      createdAt: string
    }
    /** A term of a Mind and a memory that has it. */
    posting: {
      mindKey: number
      term: string
      seq: number
      /** How it stands there, see src/memory/embedded/mark.ts. */
      mark: number
    }
    /** What the ranking knows of a Mind as a whole. */
    mindStat: {
      mindKey: number
      memoryCount: number
      termCount: number
    }
    /** Who speaks in a Mind. */
    mindAuthor: {
      mindKey: number
      /** Folded, so that all spellings of a name are one. */
      name: string
      memoryCount: number
    }
  }
}
