// What a model answers when it consolidates: one operation for each thing that a memory says.
import { z } from 'zod'
import { FACT_KINDS } from '../facts/draft.ts'

/** Far more than fits: what is too long for us is dropped by itself, and not the whole answer with it. */
const text = z.string().max(2_000)

const Operation = z.object({
  op: z.enum(['ADD', 'SUPERSEDE', 'NOOP', 'END']),
  memory: text,
  quote: text,
  fact: text.nullish(),
  subject: text.nullish(),
  kind: z.enum(FACT_KINDS).nullish(),
  topic: text.nullish(),
  value: text.nullish(),
  date: text.nullish()
})

export type Operation = z.output<typeof Operation>

export const Consolidation = z.object({ operations: z.array(Operation).max(250) })

/** For that many operations of some 60 tokens. */
export const MAX_OUTPUT_TOKENS = 8_000
