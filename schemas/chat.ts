// What a customer and the CLI agent on its server say to each other (§2.5, §4C).
import { z } from 'zod'
import { StoredTimestamp, told } from './primitives.ts'

/** In UTF-8; what the agent takes as one argument of its command line holds four times as much. */
export const MAX_MESSAGE_BYTES = 32_768

const hasRoom = (message: string) => new TextEncoder().encode(message).byteLength <= MAX_MESSAGE_BYTES

/** What is sent to the agent, byte for byte but for NUL, which no command line can hold. */
export const Message = z
  .string()
  .overwrite((message) => message.replaceAll('\0', ''))
  .refine((message) => message.trim() !== '', 'must not be empty')
  .refine((message) => message.isWellFormed(), 'contains characters that can’t be stored')
  .refine(hasRoom, `is longer than ${MAX_MESSAGE_BYTES} bytes`)

/** What came with a message (`in`), or with its reply; in bytes. The name is one that was made harmless. */
export const ChatFile = z.object({
  direction: z.enum(['in', 'out']),
  id: z.string(),
  name: z.string(),
  size: z.number()
})
export type ChatFile = z.output<typeof ChatFile>

export const MAX_FILE_BYTES = 10_000_000

/** Query of a file on its way to the agent. */
export const ChatUpload = z.object({ name: z.string().min(1).max(1_000) })

/** What came before, by its `id`: send that with the message. */
export const ChatUploaded = z.object({ file: ChatFile.omit({ direction: true }) })
export type ChatUploaded = z.output<typeof ChatUploaded>

export const ChatRequest = z.object({
  message: Message,
  files: z
    .array(z.string().max(100))
    .max(5)
    .refine((ids) => new Set(ids).size === ids.length, 'names one twice')
    .default([]),
  /** Accepted, and chooses nothing: a customer has one current conversation (§4C). */
  sessionId: z.string().max(200).nullish()
})

export const ChatReply = z.object({
  reply: told.text('What the agent replied; others wrote it.', 'Grace is, until six.'),
  sessionId: told.text('What the agent calls the conversation.', '20260504_100000_ab12cd'),
  model: told.text('Model that its configuration names.', 'auto')
})
export type ChatReply = z.output<typeof ChatReply>

export const ChatHealth = z.object({ status: z.literal('ok') })
export type ChatHealth = z.output<typeof ChatHealth>

export const CHAT_FAILURES = ['agent_not_ready', 'agent_error', 'ssh_unavailable', 'agent_timeout'] as const
export type ChatFailure = (typeof CHAT_FAILURES)[number]

/** What an `agent_error` was, where that can be told. */
export const CHAT_REASONS = [
  'model_refused',
  'model_away',
  'disk_full',
  'home_read_only',
  'agent_missing',
  'agent_crashed'
] as const
export type ChatReason = (typeof CHAT_REASONS)[number]

/**
 * Body of every refusal of the chat route. `hasStarted` false: the work surely never began, sending again is safe.
 * `isRunning`: only the wait is over; the reply comes into the history, and to whoever sends the same key again.
 */
export const ChatRefusal = z.object({
  error: z.string(),
  code: z.string(),
  reason: z.enum(CHAT_REASONS).optional(),
  hasStarted: z.boolean().optional(),
  isRunning: z.boolean().optional()
})
export type ChatRefusal = z.output<typeof ChatRefusal>

export const CHAT_STATES = ['waiting', 'answered', 'failed', 'cancelled'] as const
export type ChatState = (typeof CHAT_STATES)[number]

/** What is known of a run under way: the reply so far, and the tools that the agent used last, oldest first. */
export const ChatProgress = z.object({ text: z.string(), tools: z.array(z.string()) })
export type ChatProgress = z.output<typeof ChatProgress>

export const ChatExchange = z.object({
  id: z.string(),
  /** The `Idempotency-Key` that the message came with, or the exchange's own id. */
  key: z.string(),
  message: z.string(),
  files: z.array(ChatFile),
  reply: z.string().nullable(),
  state: z.enum(CHAT_STATES),
  code: z.enum([...CHAT_FAILURES, 'cancelled']).nullable(),
  reason: z.enum(CHAT_REASONS).nullable(),
  /** While it waits, once the agent has told something. */
  progress: ChatProgress.nullable(),
  /** Whether the agent may have begun to work on it; null while it waits. */
  hasStarted: z.boolean().nullable(),
  sessionId: z.string().nullable(),
  model: z.string().nullable(),
  createdAt: StoredTimestamp,
  answeredAt: StoredTimestamp.nullable()
})
export type ChatExchange = z.output<typeof ChatExchange>

export const ChatHistoryQuery = z.object({
  limit: z.coerce.number().int('must be a whole number').min(1).max(100).default(50),
  before: z
    .string()
    .regex(/^\d{1,9}$/, 'is not a cursor of this history')
    .transform(Number)
    .optional(),
  /** The current one unless told. */
  conversation: z.string().max(100).optional()
})
export type ChatHistoryQuery = z.output<typeof ChatHistoryQuery>

export const ChatHistory = z.object({
  /** Id of the conversation that was read. */
  conversation: z.string(),
  exchanges: z.array(ChatExchange),
  /** What `before` takes for the exchanges before these; null where there are none. */
  next: z.string().nullable()
})
export type ChatHistory = z.output<typeof ChatHistory>

export const ChatConversation = z.object({
  id: z.string(),
  /** How its first message begins; empty while there is none. */
  title: z.string(),
  createdAt: StoredTimestamp,
  /** When the last message of it came; when it began while there is none. */
  lastAt: StoredTimestamp,
  /** Messages go to this one. */
  isCurrent: z.boolean()
})
export type ChatConversation = z.output<typeof ChatConversation>

/** Newest first. */
export const ChatConversations = z.object({ conversations: z.array(ChatConversation) })
export type ChatConversations = z.output<typeof ChatConversations>

export const ChatBegun = z.object({ conversation: ChatConversation })
export type ChatBegun = z.output<typeof ChatBegun>

export const ChatCancelled = z.object({ cancelled: z.boolean() })
export type ChatCancelled = z.output<typeof ChatCancelled>

/** Data of each event while messages wait. */
export const ChatAtWork = z.object({ exchanges: z.array(ChatExchange.pick({ key: true, progress: true })) })
export type ChatAtWork = z.output<typeof ChatAtWork>
