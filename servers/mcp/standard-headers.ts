// The headers by which proxies route MCP requests from 2026-07-28 on; what they say must be what the body says, or a
// proxy's rules would hold for another call than the one that is made.
import type { Refusal, RpcRequest } from './json-rpc.ts'

/** The protocol's own code for headers that are missing, malformed or differ from the body. */
const HEADER_MISMATCH = -32020

/** A value that isn't plain ASCII travels as `=?base64?…?=`. */
const ENCODED = /^=\?base64\?((?:[0-9A-Za-z+/]{4})*(?:[0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=)?)\?=$/
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Node has taken off the white space around the values. */
export type ReadHeader = (name: string) => string | undefined

/** Which mandatory header of a 2026-07-28 request is missing or differs from the body, if one does. */
export function standardHeaderMismatch({ method, params }: RpcRequest, header: ReadHeader) {
  if (header('mcp-protocol-version') === undefined)
    return mismatch('the MCP-Protocol-Version header is missing')
  const sent = header('mcp-method')
  if (sent === undefined) return mismatch('the Mcp-Method header is missing')
  if (sent !== method) return mismatch('the Mcp-Method header differs from the body’s method')
  return method === 'tools/call' ? nameMismatch(params.name, header('mcp-name')) : undefined
}

function nameMismatch(inBody: unknown, inHeader: string | undefined): Refusal | undefined {
  // A call without a name is refused for that, further on.
  if (typeof inBody !== 'string') return undefined
  if (inHeader === undefined) return mismatch('the Mcp-Name header is missing')
  const decoded = decode(inHeader)
  if (decoded === undefined) return mismatch('the Mcp-Name header is not valid base64')
  return decoded === inBody ? undefined : mismatch('the Mcp-Name header differs from the body’s params.name')
}

function decode(value: string): string | undefined {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const base64 = ENCODED.exec(value)?.[1]
  try {
    return base64 === undefined ? undefined : utf8.decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

const mismatch = (what: string): Refusal => ({
  status: 400,
  code: HEADER_MISMATCH,
  message: `Header mismatch: ${what}`
})
