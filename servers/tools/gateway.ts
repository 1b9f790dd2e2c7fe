// What a gateway is made of, whichever way its tools are called.
import type { Implementation } from '@modelcontextprotocol/server'
import type { Caller } from '../../src/caller.ts'
import type { GatewayName } from '../../src/connected-apps/store.ts'
import type { AnyOperation } from '../../src/operation.ts'
import type { Tool } from './tool.ts'

export interface Gateway {
  /** As tokens of apps that people connected are bound to it. */
  name: GatewayName
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
