// Row types of the Minds and of what the embedded engine keeps beside each memory.
import type { Generated, GeneratedAlways } from 'kysely'
import type { Flag } from './tables.ts'

export interface MindTable {
  id: string
  /** A small number of its own for the engine's many rows; never given twice. */
  key: GeneratedAlways<number>
  partnerId: string
  customerId: string
  name: string
  description: string | null
  /** One of a customer's Minds is the one that a call without `mindId` means. */
  isPrimary: Flag
  memoryCount: number
  /** The `seq` of the next memory; deletions don't give numbers back. */
  nextSeq: number
  createdAt: string
  updatedAt: string
}

/**
 * What a Mind's rows hang on. It comes with the Mind, by a trigger, and outlives it until all of them are deleted: by
 * whatever is found in `mind`, a forgotten one can't be reached.
 */
export interface MindContentTable {
  /** The Mind's. */
  key: number
  id: string
  partnerId: string
  isForgotten: Generated<Flag>
}

export interface MemoryTable {
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
export interface PostingTable {
  mindKey: number
  term: string
  seq: number
  /** How it stands there, see src/memory/embedded/mark.ts. */
  mark: number
}

/** What the ranking knows of a Mind as a whole. */
export interface MindStatTable {
  mindKey: number
  memoryCount: number
  termCount: number
}

/** Who speaks in a Mind. */
export interface MindAuthorTable {
  mindKey: number
  /** Folded, so that all spellings of a name are one. */
  name: string
  memoryCount: number
}

/** One thing that a memory says. What holds now is decided slot by slot, see src/memory/embedded/facts/settle.ts. */
export interface FactTable {
  mindKey: number
  /** The memory that it stands on. */
  seq: number
  /** Its place among the memory's facts. */
  part: number
  /** Whom it is about, as it is spelled there; empty for the customer. */
  subject: string
  kind: string
  /** What it answers, such as `dana reyes|company`: of a slot only the newest counts. */
  slot: string
  /** Of a retraction what has ended; empty for whatever there was. */
  value: string
  isRetraction: Flag
  /** Whether it counts at its first mention; otherwise a second memory must say it too. */
  isStated: Flag
  /** Where it belongs in the profile, the most telling first. */
  tier: number
  occurredAt: string
  /** Set on the one fact of its slot that holds now, or that ended it; null on every other. */
  headTier: number | null
  /** On a head: what held before it. */
  replaced: string | null
  /** Who read it from the memory. */
  origin: 'rules' | 'model'
}

/** How far an import of a file into a Mind has come. */
export interface MemoryImportTable {
  mindKey: number
  /** Digest of everything up to there. */
  digest: string
  memories: number
  /** Whether that was the whole file. */
  isWhole: Flag
  updatedAt: string
}

/** Vectors of the model that the Mind's job of kind `embed` names, as long as it names one. */
export interface EmbeddingTable {
  mindKey: number
  /** So many neighbouring memories' vectors lie in one row, see src/memory/embedded/embeddings/block.ts. */
  block: number
  vectors: Uint8Array
}

export interface MemoryTables {
  mind: MindTable
  mindContent: MindContentTable
  memory: MemoryTable
  posting: PostingTable
  mindStat: MindStatTable
  mindAuthor: MindAuthorTable
  fact: FactTable
  memoryImport: MemoryImportTable
  embedding: EmbeddingTable
}
