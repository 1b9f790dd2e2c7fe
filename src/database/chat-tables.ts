// Row types of the chat with the agents on customers' servers.
import type { ChatFailure, ChatState } from '../../schemas/chat.ts'
import type { Flag } from './tables.ts'

/** One for each instance that was ever written to: its customer has this one thread. */
export interface ChatThreadTable {
  instanceId: string
  partnerId: string
  /** Of its newest exchange. */
  lastSeq: number
  /** What the agent last called its session. */
  sessionId: string | null
}

/** A message, and what became of it. */
export interface ChatExchangeTable {
  id: string
  partnerId: string
  instanceId: string
  /** Its place in the thread: messages of one millisecond keep their order. */
  seq: number
  /** The client's Idempotency-Key, or the exchange's own id. */
  key: string
  message: string
  state: ChatState
  reply: string | null
  code: ChatFailure | 'cancelled' | null
  /** Whether the agent may have begun to work on it; null while it waits. */
  hasStarted: Flag | null
  sessionId: string | null
  model: string
  createdAt: string
  /** When whoever works on it has ended. */
  deadlineAt: string
  /** Which process works on it. */
  leaseOwner: string | null
  cancelRequestedAt: string | null
  answeredAt: string | null
}

export interface ChatTables {
  chatThread: ChatThreadTable
  chatExchange: ChatExchangeTable
}
