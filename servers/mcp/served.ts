// What a gateway is made of, and what is known of a message that came to it.
import type { Implementation } from '@modelcontextprotocol/server'
import type { Caller } from '../../src/caller.ts'
import type { ServiceError } from '../../src/errors.ts'
import type { AnyOperation } from '../../src/operation.ts'
import type { RecordCall } from './call-record.ts'
import type { Tool, ToolList } from './tool.ts'

export interface Gateway {
  serverInfo: Implementation
  /** What a model is told about the whole of the tools: of these sentences those that name no tool which it hasn't. */
  instructions: readonly string[]
  tools: readonly Tool[]
  /** Which tools are offered below `/x/{group}`, beside all of them at the gateway's own address. */
  groups?: Readonly<Record<string, (operation: AnyOperation) => boolean>>
  /** What opens it, as people read it. */
  credential: { name: string; example: string }
  /** @throws ServiceError for a credential that doesn't open this gateway */
  authenticate(headers: Headers): Promise<Caller>
  progressIntervalMs?: number
}

/** One message and what is known of who sent it. */
export interface Exchange {
  caller: Caller
  requestId: string
  /** The tools at the address that it came to. */
  toolList: ToolList
  record: RecordCall
  /** Whether the client reads the answer as a stream if it is one. */
  readsStream: boolean
  /** Why nothing is done: the caller has spent its budget of requests. */
  overdrawn?: ServiceError | undefined
}
