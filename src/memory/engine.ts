// The port behind which memories are indexed, found and answered from. Operations know nothing else of an engine.
import type { Selectable } from 'kysely'
import type { ReasoningLevel } from '../../schemas/mind.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { ModelUsage } from '../llm/model.ts'
import type { MindJobKind } from './jobs/work.ts'
import type { Mind } from './minds.ts'

export interface NewMemory {
  content: string
  occurredAt: string
}

interface MemoryPlace {
  mindKey: number
  seq: number
  id: string
  contentHash: string
  createdAt: string
}

export type StoreMemory = (tx: WriteHandle, place: MemoryPlace) => Promise<void>

export type OpenedMemory = Pick<
  Selectable<Tables['memory']>,
  'id' | 'opening' | 'occurredAt' | 'supersededBy'
>

interface MindState {
  /** Who the Mind is about, at most 2,000 characters. */
  profile: string
  /** What is going on lately, at most 2,000 characters. */
  snapshot: string
  degraded: boolean
}

/** Which Mind is asked, and whose it is: they share with all others what searches take. */
export type AskedMind = Pick<Mind, 'key' | 'partnerId' | 'customerId'>

export interface Question {
  text: string
  level: ReasoningLevel
}

/** Which memories of a Mind are looked for; what is left out lets all through. */
export interface Wanted {
  /** The best for it come first; without it, the newest. */
  query?: string | undefined
  /** When it was said or happened: from then on, and before. */
  since?: string | undefined
  until?: string | undefined
  /** All of whose words it names. */
  about?: string | undefined
  author?: string | undefined
  position?: Position | undefined
  limit: number
}

/** Where a page ended: behind that memory, or for a query behind all of these. */
export type Position = MemoryTime | { given: readonly number[] }
export type MemoryTime = Pick<Tables['memory'], 'seq' | 'occurredAt'>

export interface Found {
  /** Places of memories; without a query there may be more behind an empty page. */
  seqs: readonly number[]
  next: Position | null
  degraded: boolean
  usage: readonly ModelUsage[]
}

export const NOTHING_FOUND = 'Nothing in this Mind answers that.'

export interface EngineAnswer {
  answer: string
  sources: { memoryId: string; excerpt: string; occurredAt: string }[]
  /** Whether the Mind answers it. What only says so, or what there is instead, is not charged. */
  found: boolean
  /** The level whose work it rests on: it costs that. The one that was asked for, if left out. */
  level?: ReasoningLevel
  /** The language model that wrote the answer; null when none did. */
  model: string | null
  /** Whether something is missing that would be there otherwise; such an answer is not charged. */
  degraded: boolean
  usage: readonly ModelUsage[]
}

export interface MemoryEngine {
  /** The work behind each Mind for which stored memories wait. */
  readonly works: readonly MindJobKind[]
  /** Before any transaction; a long text waits for the tenant's turn at a thread. @throws ThreadsUnavailable */
  prepare(memory: NewMemory, tenant: string): Promise<StoreMemory>
  /**
   * Never within a transaction, for it may ask a service. It works while nobody can write.
   * @param newest the Mind's memories, newest first: all, or more than a snapshot shows
   */
  recall(db: ReadHandle, mindKey: number, at: string, newest: readonly OpenedMemory[]): Promise<MindState>
  /** Reads only, and stops soon after `signal` aborts. @throws ServiceError `memory_rate_limited` when too many wait */
  ask(db: ReadHandle, mind: AskedMind, question: Question, signal: AbortSignal): Promise<EngineAnswer>
  /** As `ask` reads and stops. A query works on a bounded number of hits, and a page looks at a bounded number of memories. */
  search(db: ReadHandle, mind: AskedMind, wanted: Wanted, signal: AbortSignal): Promise<Found>
  /** What it had corrected is corrected by what corrected it, or holds again. */
  forget(tx: WriteHandle, mindKey: number, seq: number): Promise<void>
  /** Lets a memory that holds be history from now on, since the one at `by` says it anew. */
  supersede(tx: WriteHandle, mindKey: number, seq: number, by: number): Promise<void>
  /** Sees to what a forgotten Mind left elsewhere; its rows here are deleted by and by. */
  forgetMind(tx: WriteHandle, mindKey: number): Promise<void>
}
