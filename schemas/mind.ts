// A customer's Minds and what is remembered in them (§2.4, §4B).
import { z } from 'zod'
import {
  CustomerId,
  createdAt,
  line,
  RecordId,
  requiredLine,
  requiredText,
  StoredTimestamp,
  said,
  Timestamp,
  told
} from './primitives.ts'
import { Moment } from './usage.ts'

/** Longest text of one memory, and of one question, in characters. */
export const MAX_CONTENT_LENGTH = 32_768
const MAX_QUESTION_LENGTH = 4_096

export const REASONING_LEVELS = ['standard', 'enhanced', 'deep'] as const
export const ReasoningLevel = z.enum(REASONING_LEVELS)
export type ReasoningLevel = z.infer<typeof ReasoningLevel>

const MIND_ID = 'mnd_3f5h7j9l1n2p4r6t8v0x'
const MEMORY_ID = ['Memory id.', 'mem_5k8v2m7x1q3t9w6z0b4n'] as const

const MindId = RecordId

export const CreateMind = z.strictObject({
  customerId: CustomerId,
  name: said(requiredLine(100), 'What the Mind is called.', 'Contracts', { label: 'Name' }),
  description: said(line(500), 'What belongs in it.', 'What was signed', {
    label: 'Description',
    help: 'What belongs in it, for those who choose between parts of the memory.'
  }).optional()
})

export const Remember = z.strictObject({
  customerId: CustomerId,
  content: requiredText(MAX_CONTENT_LENGTH),
  mindId: MindId.optional(),
  occurredAt: Timestamp.optional().describe('When, if not now'),
  supersedes: RecordId.optional().describe('Memory it corrects')
})

/** A customer's other calls have their turn in between; more at once is an import's. */
export const MAX_TOLD_AT_ONCE = 20

export const RememberMany = z.strictObject({
  customerId: CustomerId,
  contents: said(
    z.array(Remember.shape.content).min(1).max(MAX_TOLD_AT_ONCE),
    `1 to ${MAX_TOLD_AT_ONCE} texts; each is charged, and kept once, by itself.`,
    ['Ada: I prefer to be called in the morning.', 'Ada: My assistant is Tom.']
  ),
  mindId: said(RecordId, 'The Mind to keep them in; the primary one when left out.', MIND_ID).optional(),
  occurredAt: said(
    Timestamp,
    'When all of it was said or happened; now when left out.',
    '2026-01-14T17:30:00Z'
  ).optional()
})

export const Recall = z.strictObject({ customerId: CustomerId, mindId: MindId.optional() })

export const Ask = z.strictObject({
  customerId: CustomerId,
  question: requiredText(MAX_QUESTION_LENGTH),
  reasoningLevel: ReasoningLevel.default('standard'),
  mindId: MindId.optional()
})

/** More than an answer's tokens have room for. */
const MAX_FOUND = 50

export const SearchMemories = z.strictObject({
  customerId: CustomerId,
  mindId: said(RecordId, 'The Mind to look in; the primary one when left out.', MIND_ID).optional(),
  query: said(requiredText(MAX_QUESTION_LENGTH), 'What to look for; the best come first.', 'parking', {
    label: 'Words'
  }).optional(),
  since: said(Moment, 'From then on: a day in UTC, or an instant.', '2026-01-01', {
    label: 'From'
  }).optional(),
  until: said(Moment, 'Until that day is over, or before that instant.', '2026-12-31', {
    label: 'To'
  }).optional(),
  about: said(requiredLine(200), 'A person or thing that it names: all of these words.', 'Dana Reyes', {
    label: 'About'
  }).optional(),
  author: said(requiredLine(100), 'Who said it.', 'Ada', { label: 'Said by' }).optional(),
  cursor: said(
    z
      .string()
      .max(4_000)
      .regex(/^[\w-]+$/, 'must be the nextCursor of a page'),
    'The `nextCursor` of the page before.'
  ).optional(),
  limit: said(z.int().min(1).max(MAX_FOUND).default(20), 'Memories per page.', 20)
})

export const Forget = z.strictObject({
  customerId: CustomerId,
  mindId: said(RecordId, 'The Mind that holds it; whichever does when left out.', MIND_ID).optional(),
  memoryId: said(RecordId, ...MEMORY_ID)
})

export const MindPath = z.strictObject({
  customerId: CustomerId,
  mindId: said(RecordId, 'Mind id.', MIND_ID)
})

export const ForgetWithUndo = Forget.required({ mindId: true })
export const Forgotten = z.object({ undo: z.string() })
/** `undo` has the longest memory in it, sealed. */
export const UndoForgetting = MindPath.extend({ undo: z.string().max(300_000) })

/** `cursor` is the `nextCursor` of the page before. */
export const ExportMind = MindPath.extend({
  cursor: z
    .string()
    .max(9)
    .regex(/^\d{1,9}$/)
    .optional()
})

const mind = {
  mindId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  isPrimary: z.boolean(),
  memoryCount: z.int(),
  createdAt: StoredTimestamp,
  updatedAt: StoredTimestamp
}

export const Mind = z.object(mind).meta({ id: 'Mind' })
export type Mind = z.output<typeof Mind>

export const MindList = z.object({ minds: z.array(Mind) })

export const Remembered = z.object({
  memoryId: z.string(),
  mindId: z.string(),
  duplicate: z.boolean(),
  credits: z.number()
})

/** In the order of what was sent; behind one that couldn't be kept nothing was tried. */
export const RememberedMany = z.object({
  memories: said(
    z.array(
      z.object({
        memoryId: told.text('Memory id; null where it was not kept.', MEMORY_ID[1]).nullable(),
        duplicate: told.flag('Whether the same words were there already.', false),
        credits: told.amount('What it was charged.', 1),
        error: told.text('Code of why it was not kept; null where it was.', null).nullable()
      })
    ),
    'One for each that was sent, in that order.'
  ),
  kept: told.count('How many are kept now, those included that were before.', 10),
  credits: told.amount('What all were charged.', 10),
  message: told.text('How many were kept, and what to send again.', 'All 10 are kept.')
})

export const Memory = z
  .object({
    id: told.text(...MEMORY_ID),
    content: told.text('What was told.', 'Ada: I prefer to be called in the morning.'),
    occurredAt: told.time('When it was said or happened.', '2026-01-14T17:30:00.000Z'),
    createdAt: said(createdAt, 'When it was stored.', '2026-01-15T10:00:00.000Z'),
    supersededBy: told
      .text('Id of the memory that corrected it; left out while it holds.', 'mem_0c9x4b7n1v5m8z2k6j3h')
      .optional()
  })
  .meta({ id: 'Memory' })

export const Recalled = z.object({
  mindId: z.string(),
  profile: z.string(),
  snapshot: z.string(),
  messages: z.array(Memory),
  degraded: z.boolean()
})
export type Recalled = z.output<typeof Recalled>

export const Answered = z.object({
  answer: z.string(),
  sources: z.array(z.object({ memoryId: z.string(), excerpt: z.string(), occurredAt: StoredTimestamp })),
  found: z.boolean(),
  reasoningLevel: ReasoningLevel,
  model: z.string().nullable(),
  degraded: z.boolean(),
  credits: z.number()
})

const FoundMemory = Memory.extend({
  author: told.text('Who said it, where the text names them.', 'Ada').nullable()
}).meta({ id: 'FoundMemory' })

export const FoundMemories = z.object({
  memories: said(z.array(FoundMemory), 'The newest first, or the best for a query; long ones are cut.'),
  nextCursor: told
    .text('Asks for the next page, which may be the first with memories; null at the end.')
    .nullable(),
  degraded: told.flag('Whether vectors could not be used although the Mind has them.', false)
})
export type FoundMemories = z.output<typeof FoundMemories>

export const MemoryPage = z.object({ memories: z.array(Memory), nextCursor: z.string().nullable() })

/** One line of the file that `mindgate memory import` reads; by their ids the lines of an export say what corrected which. */
export const ImportedMemory = z.object({
  content: requiredText(MAX_CONTENT_LENGTH),
  occurredAt: Timestamp.optional(),
  id: z.string().optional().catch(undefined),
  supersededBy: z.string().optional().catch(undefined)
})
