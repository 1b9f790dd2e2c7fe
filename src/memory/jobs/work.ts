import type { Selectable } from 'kysely'
import type { MIND_WORKS } from '../../../schemas/mind-work.ts'
import type { WriteHandle } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import type { ModelUsage } from '../../llm/model.ts'

/** `consolidate`: facts by a model. `embed`: vectors of the memories. `forward`: copies for another engine. */
export type MindJobKind = (typeof MIND_WORKS)[number]

export type BatchMemory = Pick<
  Selectable<Tables['memory']>,
  'seq' | 'id' | 'turn' | 'content' | 'author' | 'language' | 'occurredAt' | 'createdAt'
>

export interface Batch {
  mindKey: number
  /** In the order of telling; empty when what waited was forgotten. */
  memories: readonly BatchMemory[]
}

export interface Performed {
  /** Writes the outcome, in the transaction that moves the watermark, on the locked Mind. `kept` were not forgotten meanwhile. */
  apply(tx: WriteHandle, kept: ReadonlySet<number>): Promise<void>
  usage: readonly ModelUsage[]
}

export interface MindWork {
  kind: MindJobKind
  /** Most memories of one batch: half as many after each failure, and one by one where they were refused twice. */
  maxBatch: number
  /** So many waiting memories are due at once. */
  dueAfter: number
  /** Fewer are due when the oldest has waited so long. */
  maxAgeMs: number
  concurrency: number
  deadlineMs: number
  /** What it works with, such as a model's name: where a Mind was done with another one, all of it is done anew. */
  madeWith: string | null
  /** Undoes what was made with something else; runs in the transaction that begins the Mind anew. */
  beginAnew?(tx: WriteHandle, mindKey: number): Promise<void>
  /** How many of the first memories make one batch, one at least. */
  fitting?(memories: readonly BatchMemory[]): number
  /** Outside of any transaction. What it throws puts the Mind back for later; only a `BatchRefused` counts against memories. */
  perform(batch: Batch, signal: AbortSignal): Promise<Performed>
}

class WorkError extends Error {
  readonly usage: readonly ModelUsage[]
  readonly retryAfterSeconds: number | undefined

  /** @param message says why in our words; the console shows it */
  constructor(
    message: string,
    options: Partial<Pick<WorkError, 'usage' | 'retryAfterSeconds' | 'cause'>> = {}
  ) {
    super(message, { cause: options.cause })
    this.name = new.target.name
    this.usage = options.usage ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** These very memories can't be done: after a few attempts they are put aside, one by one, and the others go on. */
export class BatchRefused extends WorkError {}

/** It can't be done for now, by no fault of the memories: a service is down. */
export class WorkPostponed extends WorkError {}
