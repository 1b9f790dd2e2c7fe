// How far the work behind a Mind is, and what models took for it.
import { z } from 'zod'
import { StoredTimestamp } from './primitives.ts'

export const MIND_WORKS = ['consolidate', 'embed', 'forward'] as const

const work = {
  kind: z.enum(MIND_WORKS),
  /** Whether it is switched on now; what is off may have been on before. */
  isOn: z.boolean(),
  lastDoneAt: StoredTimestamp.nullable(),
  /** Memories that wait, about. */
  waiting: z.int(),
  /** When the oldest of them was stored: its age is the lag. */
  waitingSince: StoredTimestamp.nullable(),
  nextAttemptAt: StoredTimestamp.nullable(),
  failures: z.int(),
  /** Of the last run; null when that succeeded. */
  lastError: z.string().nullable(),
  putAside: z.int()
}

const usage = {
  purpose: z.enum(['consolidate', 'ask', 'embed']),
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  /** By the configured prices, in their currency. */
  cost: z.number()
}

export const MindWork = z.object({
  mindId: z.string(),
  work: z.array(z.object(work)),
  usage: z.array(z.object(usage))
})

export const RetriedMindWork = z.object({ message: z.string(), requeued: z.int() })
