// One tool call through either face of either gateway, and what came back in one shape.
import { at } from '../support/fixture.ts'
import { call, modern, modernHeaders, unmarked } from './messages.ts'

export const GATEWAYS = { customer: '/api/mcp', partner: '/api/partner-mcp' } as const
export type GatewayName = keyof typeof GATEWAYS

export const FACES = ['MCP 2025-11-25', 'MCP 2026-07-28', 'plain HTTP'] as const
export type Face = (typeof FACES)[number]

export interface Outcome {
  /** What the caller is told: over MCP the status that the result names, else the HTTP status. */
  status: number
  /** What HTTP says. */
  httpStatus: number
  code: unknown
  field: unknown
  retryAfter: string | null
  challenge: string | null
  isReplay: boolean
  /** The operation's answer. */
  output: unknown
  /** The whole body, as it came. */
  text: string
}

export interface ToolRequest {
  /** Where the server listens. */
  url: string
  gateway: GatewayName
  key: string | undefined
  tool: string
  input: Record<string, unknown>
  idempotencyKey?: string
}

/** Calls the tool as a client of that face does. */
export function callTool(face: Face, request: ToolRequest): Promise<Outcome> {
  if (face === 'plain HTTP') return callPlain(request)
  return callMcp(request, face === 'MCP 2026-07-28')
}

async function callMcp(request: ToolRequest, isModern: boolean): Promise<Outcome> {
  const { tool, input, idempotencyKey } = request
  const meta = idempotencyKey ? { 'mindgate/idempotencyKey': idempotencyKey } : undefined
  const message = call(tool, input, meta)
  const answer = await post(request, '', isModern ? modern(message) : message, {
    Accept: 'application/json, text/event-stream',
    ...(isModern ? modernHeaders(message) : { 'MCP-Protocol-Version': '2025-11-25' })
  })
  const refusal = at(answer.json, 'result', '_meta', 'mindgate/error') ?? at(answer.json, 'error', 'data')
  const isError = at(answer.json, 'result', 'isError') === true
  return {
    ...answer,
    status: Number(at(refusal, 'status') ?? answer.httpStatus),
    code: at(refusal, 'code'),
    field: at(refusal, 'field'),
    isReplay: at(answer.json, 'result', '_meta', 'mindgate/idempotentReplayed') === true,
    output: isError ? undefined : unmarked(at(answer.json, 'result', 'structuredContent'))
  }
}

async function callPlain(request: ToolRequest): Promise<Outcome> {
  const { tool, input, idempotencyKey } = request
  const headers: Record<string, string> = idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}
  const answer = await post(request, `/tools/${tool}`, input, headers)
  return {
    ...answer,
    status: answer.httpStatus,
    code: at(answer.json, 'code'),
    field: at(answer.json, 'field'),
    isReplay: answer.isReplay,
    output: at(answer.json, 'data')
  }
}

async function post(
  { url, gateway, key }: ToolRequest,
  path: string,
  body: unknown,
  headers: Record<string, string>
) {
  const response = await fetch(url + GATEWAYS[gateway] + path, {
    method: 'POST',
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      'Content-Type': 'application/json',
      ...headers
    },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  const json: unknown = JSON.parse(text)
  return {
    httpStatus: response.status,
    retryAfter: response.headers.get('retry-after'),
    challenge: response.headers.get('www-authenticate'),
    isReplay: response.headers.get('idempotent-replayed') === 'true',
    text,
    json
  }
}
