// JSON-RPC 2.0 as MCP uses it: what comes in, and the bodies that go out.
import type { RequestId } from '@modelcontextprotocol/server'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isJsonObject } from '../middleware/json-body.ts'

export interface RpcRequest {
  id: RequestId
  method: string
  params: Readonly<Record<string, unknown>>
}

export interface Refusal {
  status: ContentfulStatusCode
  code: number
  message: string
  details?: unknown
}

/** A refusal by the gateway itself. MCP leaves codes outside of JSON-RPC's reserved range to us: it is the status. */
export const httpRefusal = (status: ContentfulStatusCode, message: string): Refusal => ({
  status,
  code: status,
  message
})

/** The body of a success; `result` is JSON already. */
export const resultBody = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

/** As `resultBody`, for a long result that is in UTF-8 already. */
export const resultBytes = (id: RequestId, result: Uint8Array): Uint8Array<ArrayBuffer> =>
  Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`), result, CLOSING_BRACE])

const CLOSING_BRACE = Buffer.from('}')

/** The body of a refusal; `null` stands for a message whose id couldn't be read. */
export const errorBody = (id: RequestId | null, { code, message, details }: Refusal): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data: details } })

/** The members of a JSON object; anything else has none. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(value) ? value : {}

/** The message as a request, or `undefined` when it has no method or no id. */
export function asRequest(message: unknown): RpcRequest | undefined {
  const { id, method, params } = membersOf(message)
  if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined
  return { id, method, params: membersOf(params) }
}
