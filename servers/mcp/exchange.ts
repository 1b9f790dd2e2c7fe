// What is known of a message that came to a gateway.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Caller } from '../../src/caller.ts'
import type { ServiceError } from '../../src/errors.ts'
import type { ToolList } from '../tools/tool.ts'
import type { RecordCall } from './call-record.ts'

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
  /** Is told what the tool answered, before the SDK makes its answer of it. */
  onResult?(result: CallToolResult): void
}
