// Which of MCP's two eras a message belongs to, and whether its headers agree with it. Up to 2025-11-25 a client
// opens with `initialize`; from 2026-07-28 on every request says its version itself. Both come to the same URL.
import {
  classifyInboundRequest,
  INVALID_REQUEST,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError
} from '@modelcontextprotocol/server'
import { isJsonObject } from '../middleware/json-body.ts'
import { asRequest, type Refusal, type RpcRequest } from './json-rpc.ts'
import { type ReadHeader, standardHeaderMismatch } from './standard-headers.ts'

export type Era = 'legacy' | 'modern'

export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']
/** The versions that a client may ask `initialize` for, the newest first. */
export const LEGACY_VERSIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS

/** The last version with JSON-RPC batches, and what a request without the header speaks. */
const LAST_BATCH_VERSION = '2025-03-26'
/** More calls than that in one HTTP request would pass by every limit that counts requests. */
const MAX_BATCH_LENGTH = 20

export type Inbound =
  | { kind: 'request'; era: Era; request: RpcRequest }
  | { kind: 'batch'; messages: readonly unknown[] }
  /** A notification, or a response to a question that was never asked: taken, and nothing comes of it. */
  | { kind: 'accepted' }
  | { kind: 'refused'; refusal: Refusal }

export function sortInbound(body: unknown, header: ReadHeader): Inbound {
  const version = header('mcp-protocol-version')
  const method = header('mcp-method')
  const name = header('mcp-name')
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name })
  })
  if (outcome.kind === 'reject') {
    const { code, message, data } = outcome
    return refused({ status: 400, code, message, details: data })
  }
  if (outcome.kind === 'modern') {
    const request = outcome.messageKind === 'request' ? asRequest(outcome.message) : undefined
    return modern(outcome.classification.revision, request, header)
  }
  if (outcome.reason !== 'initialize' && version !== undefined && !LEGACY_VERSIONS.includes(version)) {
    return invalidRequest(`Unsupported MCP-Protocol-Version. Supported: ${LEGACY_VERSIONS.join(', ')}.`)
  }
  if (Array.isArray(body)) return batch(body, version)
  const request =
    outcome.reason === 'initialize' || outcome.reason === 'no-claim' ? asRequest(body) : undefined
  return request ? { kind: 'request', era: 'legacy', request } : { kind: 'accepted' }
}

function modern(version: string | undefined, request: RpcRequest | undefined, header: ReadHeader): Inbound {
  if (version === undefined || !MODERN_VERSIONS.includes(version)) {
    const { code, message, data } = new UnsupportedProtocolVersionError({
      supported: [...MODERN_VERSIONS],
      requested: version ?? 'unknown'
    })
    return refused({ status: 400, code, message, details: data })
  }
  // The protocol leaves the headers of notifications undefined.
  if (!request) return { kind: 'accepted' }
  const mismatch = standardHeaderMismatch(request, header)
  return mismatch ? refused(mismatch) : { kind: 'request', era: 'modern', request }
}

function batch(messages: readonly unknown[], version = LAST_BATCH_VERSION): Inbound {
  if (version > LAST_BATCH_VERSION) {
    return invalidRequest(`Protocol version ${version} has no batches. Send one message a request.`)
  }
  if (messages.length > MAX_BATCH_LENGTH) {
    return invalidRequest(`A batch holds at most ${MAX_BATCH_LENGTH} messages.`)
  }
  if (messages.some((message) => isJsonObject(message) && message.method === 'initialize')) {
    return invalidRequest('initialize must not be part of a batch.')
  }
  return { kind: 'batch', messages }
}

const refused = (refusal: Refusal): Inbound => ({ kind: 'refused', refusal })

const invalidRequest = (message: string) => refused({ status: 400, code: INVALID_REQUEST, message })
