import type { HttpBindings } from '@hono/node-server'
import type { ChatFailure } from '../../schemas/chat.ts'
import type { Caller } from '../../src/caller.ts'
import type { ErrorCode } from '../../src/errors.ts'
import type { AnyOperation, Channel } from '../../src/operation.ts'

/** What a request carries; the log line is made from it. */
export interface RequestEnv {
  /** Node's own request and answer; absent where a request came through no socket. */
  Bindings: Partial<HttpBindings> & {
    /** How many proxies stand in front; set where a body may come before its sender is known. */
    trustedProxies?: number
  }
  Variables: {
    requestId: string
    /** The pattern of a page's path, for the log line; other routes are the router's own. */
    route?: string
    /** An operation’s channel, the plain HTTP face of an MCP gateway's tools, or the AI gateway. */
    channel?: Channel | 'tools' | 'ai'
    caller?: Caller
    operation?: AnyOperation
    /** The code that the request was refused with. */
    code?: ErrorCode | ChatFailure | 'cancelled'
  }
}
