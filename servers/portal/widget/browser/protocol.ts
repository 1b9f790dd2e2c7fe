// What the chat route says (§4C), read with care, since a proxy or a newer server may say something else; and how long a
// message it takes.
import type { ChatConversation, ChatExchange, ChatHistory } from '../../../../schemas/chat.ts'

const STATES: readonly ChatExchange['state'][] = ['waiting', 'answered', 'failed', 'cancelled']

export type ChatFile = ChatExchange['files'][number]

export type Progress = NonNullable<ChatExchange['progress']>

/** Codes and reasons are the schema's, or whatever a newer server calls them. */
interface Told {
  code: string | null
  reason: string | null
  /** `false`: the agent surely never began; `undefined` where nobody said. */
  hasStarted: boolean | undefined
  /** ISO 8601; says nothing before there is a reply. */
  answeredAt: string
}

export type KeptExchange = Omit<ChatExchange, keyof Told | 'sessionId' | 'model'> & Told

export type HistoryPage = Pick<ChatHistory, 'conversation' | 'next'> & { exchanges: KeptExchange[] }

export type FormerConversation = Pick<ChatConversation, 'id' | 'title' | 'lastAt'>

export class ChatRefusal extends Error {
  readonly code: string
  /** `false`: the agent surely never began; `undefined` where nobody said. */
  readonly hasStarted: boolean | undefined
  readonly retryAfterSeconds: number | undefined
  readonly reason: string | null
  /** Only the wait is over: the history will have the reply. */
  readonly isRunning: boolean

  constructor(
    code: string,
    hasStarted?: boolean,
    retryAfterSeconds?: number,
    { reason = null, isRunning = false }: { reason?: string | null; isRunning?: boolean } = {}
  ) {
    super(code)
    this.reason = reason
    this.isRunning = isRunning
    this.code = code
    this.hasStarted = hasStarted
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whoever looks on may not be here, or there is nothing to look at. */
export const NO_ACCESS: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'instance_not_found',
  'conversation_not_found'
])

/** What was refused. @throws whatever else it was */
export function refusalOf(error: unknown): ChatRefusal {
  if (error instanceof ChatRefusal) return error
  throw error
}

/** What no server said: the request or its answer got lost on the way. */
export const CONNECTION_LOST = 'connection_lost'

export function readHistory(body: unknown): HistoryPage {
  const exchanges: unknown = member(body, 'exchanges')
  if (!Array.isArray(exchanges)) throw new ChatRefusal(CONNECTION_LOST)
  return {
    conversation: textAt(body, 'conversation') ?? '',
    exchanges: exchanges.map(readExchange),
    next: textAt(body, 'next')
  }
}

/** All but the current one. */
export function readFormer(body: unknown): FormerConversation[] {
  const conversations: unknown = member(body, 'conversations')
  if (!Array.isArray(conversations)) throw new ChatRefusal(CONNECTION_LOST)
  const former = conversations.filter((row) => flagAt(row, 'isCurrent') !== true)
  return former.map((row) => ({
    id: textAt(row, 'id') ?? '',
    title: textAt(row, 'title') ?? '',
    lastAt: textAt(row, 'lastAt') ?? new Date().toISOString()
  }))
}

function readExchange(row: unknown): KeptExchange {
  const state = textAt(row, 'state')
  const createdAt = textAt(row, 'createdAt') ?? new Date().toISOString()
  const files: unknown = member(row, 'files')
  return {
    id: textAt(row, 'id') ?? '',
    files: Array.isArray(files) ? files.map(readFile) : [],
    key: textAt(row, 'key') ?? textAt(row, 'id') ?? '',
    message: textAt(row, 'message') ?? '',
    state: STATES.find((known) => known === state) ?? 'failed',
    reply: textAt(row, 'reply'),
    code: textAt(row, 'code'),
    reason: textAt(row, 'reason'),
    progress: readProgress(member(row, 'progress')),
    hasStarted: flagAt(row, 'hasStarted'),
    createdAt,
    answeredAt: textAt(row, 'answeredAt') ?? createdAt
  }
}

export const readFile = (row: unknown): ChatFile => ({
  direction: textAt(row, 'direction') === 'out' ? 'out' : 'in',
  id: textAt(row, 'id') ?? '',
  name: textAt(row, 'name') ?? '',
  size: Number(member(row, 'size')) || 0
})

function readProgress(told: unknown): Progress | null {
  const tools: unknown = member(told, 'tools')
  if (!Array.isArray(tools)) return null
  return { text: textAt(told, 'text') ?? '', tools: tools.map(String) }
}

/** What an event tells of each message that waits. */
export function readAtWork(json: string): Map<string, Progress | null> {
  const body: unknown = JSON.parse(json)
  const exchanges: unknown = member(body, 'exchanges')
  if (!Array.isArray(exchanges)) return new Map()
  return new Map(exchanges.map((row) => [textAt(row, 'key') ?? '', readProgress(member(row, 'progress'))]))
}

export function readRefusal(body: unknown, retryAfter: string | null): ChatRefusal {
  // Without a code it is a proxy that speaks: nobody knows what became of the request.
  const code = textAt(body, 'code') ?? CONNECTION_LOST
  const seconds = Number(retryAfter ?? Number.NaN)
  return new ChatRefusal(code, flagAt(body, 'hasStarted'), Number.isFinite(seconds) ? seconds : undefined, {
    reason: textAt(body, 'reason'),
    isRunning: flagAt(body, 'isRunning') === true
  })
}

const flagAt = (body: unknown, name: string): boolean | undefined => {
  const value = member(body, name)
  return typeof value === 'boolean' ? value : undefined
}

export const textAt = (body: unknown, name: string): string | null => {
  const value = member(body, name)
  return typeof value === 'string' ? value : null
}

export const member = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined

/** 32 kB of UTF-8. */
export const MAX_MESSAGE_BYTES = 32_768
/** From here on it is told how much is left. */
const NEAR_BYTES = 2_000

const encoder = new TextEncoder()

/** Characters left, or too many; `undefined` while there is plenty of room. */
export function roomOf(message: string): { isOver: boolean; characters: number | undefined } {
  const left = MAX_MESSAGE_BYTES - encoder.encode(message).length
  if (left > NEAR_BYTES) return { isOver: false, characters: undefined }
  if (left >= 0) return { isOver: false, characters: left }
  // Some characters take several bytes: as many as these are on average.
  const bytesEach = (MAX_MESSAGE_BYTES - left) / message.length
  return { isOver: true, characters: Math.ceil(-left / bytesEach) }
}
