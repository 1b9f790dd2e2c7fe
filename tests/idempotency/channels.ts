// Both channels of the partner API on a real port, over operations of a test's own.

import { Hono } from 'hono'
import { listen } from '../../servers/listener.ts'
import { partnerGateway } from '../../servers/mcp/partner-gateway.ts'
import { answerError } from '../../servers/middleware/error-answer.ts'
import type { RequestEnv } from '../../servers/middleware/request-env.ts'
import { requestId } from '../../servers/middleware/request-id.ts'
import { restApi } from '../../servers/rest/rest-api.ts'
import { REST_PREFIX } from '../../servers/rest/routes.ts'
import type { AnyOperation } from '../../src/operation.ts'
import type { Service } from '../../src/service.ts'
import { call, unmarked } from '../mcp/messages.ts'
import { at } from '../support/fixture.ts'

/** Listens on a free port of this machine. */
export async function openChannels(
  service: Service,
  operations: readonly AnyOperation[]
): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Hono<RequestEnv>()
  app.use(requestId)
  app.onError((error, c) => answerError(c, error))
  app.route(REST_PREFIX, restApi(service, operations))
  app.route('/api/partner-mcp', partnerGateway(service, operations))
  const { url, drain } = await listen(app.fetch, { host: '127.0.0.1', port: 0 })
  return { url, close: drain }
}

/** An answer of either channel. */
export interface ChannelAnswer {
  /** 200, or what the operation was refused with; over MCP the status that the result names. */
  status: number
  code: unknown
  retryAfter: string | null
  isReplay: boolean
  /** What the operation answered, without what the channel adds. */
  output: Record<string, unknown>
  /** The whole body, as it came. */
  text: string
}

export interface KeyedRequest {
  url: string
  apiKey: string
  idempotencyKey: string
  body: Record<string, unknown>
}

/** Posts to the partner API. */
export async function postRest(
  path: string,
  { url, apiKey, idempotencyKey, body }: KeyedRequest
): Promise<ChannelAnswer> {
  const response = await fetch(url + REST_PREFIX + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey
    },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  const { success, ...output }: Record<string, unknown> = JSON.parse(text)
  return {
    status: response.status,
    code: output.code,
    retryAfter: response.headers.get('retry-after'),
    isReplay: response.headers.get('idempotent-replayed') === 'true',
    output: success === true ? output : {},
    text
  }
}

/** Calls the tool of that name. */
export async function callTool(
  name: string,
  { url, apiKey, idempotencyKey, body }: KeyedRequest
): Promise<ChannelAnswer> {
  const response = await fetch(`${url}/api/partner-mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream'
    },
    body: JSON.stringify(call(name, body, { 'mindgate/idempotencyKey': idempotencyKey }))
  })
  const text = await response.text()
  const answer: unknown = JSON.parse(text)
  const error = at(answer, 'result', '_meta', 'mindgate/error')
  const output = unmarked(at(answer, 'result', 'structuredContent'))
  return {
    status: error ? Number(at(error, 'status')) : response.status,
    code: at(error, 'code'),
    retryAfter: response.headers.get('retry-after'),
    isReplay: at(answer, 'result', '_meta', 'mindgate/idempotentReplayed') === true,
    output: typeof output === 'object' && output !== null ? { ...output } : {},
    text
  }
}
