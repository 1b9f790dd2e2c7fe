import type { Flag } from '../../database/tables.ts'

/** `consolidate`: facts by a model. `embed`: vectors of the memories. `forward`: copies for another engine. */
export type MindJobKind = 'consolidate' | 'embed' | 'forward'

declare module '../../database/tables.ts' {
  interface Tables {
    mindJob: {
      kind: MindJobKind
      mindKey: number
      /** The `seq` up to which everything is done. */
      watermark: number
      /** How many memories wait, about: forgotten ones are counted until the next run. */
      waiting: number
      /** When the oldest of them was stored; null when none waits. */
      waitingSince: string | null
      /** When the next run is due; null when nothing waits. */
      dueAt: string | null
      /** Failures in a row, whatever they were. */
      attempts: number
      /** Those of them that were held against the memories. */
      refusals: number
      /** Of all time. */
      failures: number
      /** Whether a run began and nobody knows how it ended. */
      isUnsure: Flag
      leaseOwner: string | null
      leaseExpiresAt: string | null
      lastDoneAt: string | null
      /** What the last failed run failed with, in our words; null after a success. */
      lastError: string | null
      /** What the work was done with, such as the embedding model's name: with another one it is done anew. */
      madeWith: string | null
    }
    /** A memory that work gave up on. The watermark has passed it: nothing behind it waits. */
    mindJobFailure: {
      kind: MindJobKind
      mindKey: number
      seq: number
      /** In our words. */
      error: string
      /** To be tried again. */
      isQueued: Flag
    }
  }
}
