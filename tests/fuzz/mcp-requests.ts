// Messages to the MCP channel in both eras: right ones, ones with a single fault, batches, and what is no message at all.
import fc from 'fast-check'
import { MODERN_VERSION, modern, modernHeaders, request } from '../mcp/messages.ts'
import { carryingSecrets, credentials, misplacedSecrets } from './credentials.ts'
import type { WireRequest } from './exchange.ts'
import type { FuzzFixture } from './fixture.ts'
import { type Body, jsonBodies, spoiled } from './hostile.ts'
import { MCP_PATH, type McpTool } from './mcp-document.ts'
import { namedValues } from './named-values.ts'
import { valuesOf } from './schema-values.ts'

type Message = ReturnType<typeof request>
type Headers = Record<string, string>

/** Calls of every tool alike, in both eras; half of them have one fault in their arguments. */
export function toolCalls(fixture: FuzzFixture, tools: readonly McpTool[]): fc.Arbitrary<WireRequest> {
  return calls(fixture, tools).chain((message) =>
    fc
      .record({ isModern: fc.boolean(), credential: credentials(fixture) })
      .map(({ isModern, credential }) => {
        const sent = isModern ? modern(message) : message
        return post({ ...credential, ...(isModern ? modernHeaders(message) : {}) }, right(sent))
      })
  )
}

function calls(fixture: FuzzFixture, tools: readonly McpTool[]): fc.Arbitrary<Message> {
  const fixtures = namedValues(fixture, 'mcp')
  return fc.oneof(
    ...tools.map(({ name, inputSchema }) => {
      const values = fc.oneof(...fixtures.map((named) => valuesOf(inputSchema, named)))
      const asText = values.map((value) => JSON.stringify(value))
      const args = fc.oneof(
        { arbitrary: values, weight: 5 },
        { arbitrary: spoiled(values), weight: 5 },
        { arbitrary: fc.oneof(asText, carryingSecrets(fixture, values)), weight: 1 }
      )
      return fc
        .record({ args, id: ids, meta })
        .map(({ args: sent, id, meta: _meta }) =>
          request('tools/call', { name, ...(typeof sent === 'symbol' ? {} : { arguments: sent }), _meta }, id)
        )
    })
  )
}

const ids = fc.oneof(
  fc.integer(),
  fc.constantFrom('', 'an "id"', '0', '\u2028', 1e21, 1.5, -0, 'x'.repeat(2_000))
)

const meta: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 8 },
  {
    arbitrary: fc.constantFrom<Record<string, unknown>>(
      { 'mindgate/idempotencyKey': 'once' },
      { 'mindgate/idempotencyKey': 'a b' },
      { 'mindgate/idempotencyKey': 7 },
      { progressToken: 1 },
      { progressToken: 'a\r\ndata: x' },
      { progressToken: { deep: [] } },
      { 'mindgate/error': { status: 200 } },
      { traceparent: '00-0-0-00' }
    ),
    weight: 2
  }
)

/** Everything around the call: methods, eras, versions, batches, headers, spoiled envelopes and bare bytes. */
export function envelopes(fixture: FuzzFixture, tools: readonly McpTool[]): fc.Arbitrary<WireRequest> {
  const call = calls(fixture, tools)
  const other = fc.record({
    method: fc.constantFrom(...METHODS),
    params: fc.constantFrom(...PARAMS),
    id: ids
  })
  const message = fc.oneof(
    call,
    other.map(({ method, params, id }) => request(method, params, id))
  )
  const dressed = fc.oneof(
    message,
    carryingSecrets(fixture, message),
    message.map((one) => modern(one)),
    fc.tuple(message, fc.constantFrom(...VERSIONS)).map(([one, version]) => modern(one, version))
  )
  const bodies = fc.oneof(
    { arbitrary: jsonBodies(dressed, 3), weight: 4 },
    { arbitrary: jsonBodies(spoiled(dressed), 0), weight: 4 },
    { arbitrary: jsonBodies(batches(message), 0), weight: 3 },
    { arbitrary: fc.constantFrom<unknown>(...NO_MESSAGES).map((value) => right(value)), weight: 1 }
  )
  const method = fc.oneof(
    { arbitrary: fc.constant('POST'), weight: 12 },
    { arbitrary: fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD', 'PATCH'), weight: 1 }
  )
  const target = fc.oneof(
    { arbitrary: fc.constant(MCP_PATH), weight: 12 },
    {
      arbitrary: fc
        .constantFrom('/', '//', '/x', `?key=${fixture.keys.good}`, '?%', '/%00')
        .map((end) => MCP_PATH + end),
      weight: 1
    }
  )
  const headers = fc.tuple(
    credentials(fixture),
    versionHeaders,
    fc.oneof(oddHeaders, misplacedSecrets(fixture))
  )
  return fc.record({ method, target, body: bodies, headers }).map((made) => ({
    ...made,
    headers: Object.assign({ 'Content-Type': 'application/json' }, ...made.headers)
  }))
}

/** Distinct ids in most of them, so that each answer can be told from the others. */
const batches = (message: fc.Arbitrary<Message>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc
      .array(message, { minLength: 1, maxLength: 5 })
      .map((many) => many.map((one, index) => ({ ...one, id: index }))),
    fc.array(fc.oneof(message, fc.constantFrom<unknown>(...NO_MESSAGES)), { maxLength: 4 }),
    fc
      .constantFrom(20, 21, 1_000)
      .map((count) => Array.from({ length: count }, (_, id) => request('ping', {}, id)))
  )

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
  'tools/call',
  'Tools/Call',
  'resources/list',
  'prompts/get',
  'completion/complete',
  'constructor',
  '__proto__',
  'legacy ping',
  ''
]

const PARAMS: readonly Record<string, unknown>[] = [
  {},
  { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
  { protocolVersion: '2026-07-28' },
  { protocolVersion: '\0' },
  { name: '__proto__', arguments: {} },
  { name: 'constructor' },
  { name: 'customer_list', arguments: '{"limit":1}' },
  { name: 'customer_list', arguments: '{' },
  { name: 'x'.repeat(10_000) },
  { cursor: 'x' },
  { requestId: 1 },
  { _meta: null }
]

const VERSIONS = ['2025-11-25', '2025-03-26', '2027-01-01', '', '\ud800', 'x'.repeat(300)]

const NO_MESSAGES: readonly unknown[] = [
  null,
  7,
  'ping',
  [],
  {},
  { jsonrpc: '1.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', method: 'ping' },
  { jsonrpc: '2.0', id: null, method: 'ping' },
  { jsonrpc: '2.0', id: { a: 1 }, method: 'ping' },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'customer_list', arguments: [] } },
  [[[]]]
]

const versionHeaders: fc.Arbitrary<Headers> = fc.constantFrom<Headers>(
  {},
  { 'MCP-Protocol-Version': '2025-03-26' },
  { 'MCP-Protocol-Version': '2025-11-25' },
  { 'MCP-Protocol-Version': MODERN_VERSION, 'Mcp-Method': 'tools/list' },
  { 'MCP-Protocol-Version': MODERN_VERSION, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'customer_list' },
  { 'MCP-Protocol-Version': MODERN_VERSION, 'Mcp-Method': 'tools/call', 'Mcp-Name': '=?base64?4pi6?=' },
  { 'MCP-Protocol-Version': MODERN_VERSION, 'Mcp-Method': 'tools/call', 'Mcp-Name': '=?base64?!?=' },
  { 'MCP-Protocol-Version': 'x'.repeat(4_000) },
  { 'MCP-Protocol-Version': '' }
)

const oddHeaders: fc.Arbitrary<Headers> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 4 },
  {
    arbitrary: fc.constantFrom<Headers>(
      { Accept: 'application/json, text/event-stream' },
      { Accept: 'text/event-stream' },
      { Accept: 'text/html' },
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json; charset=utf-16' },
      { 'Content-Encoding': 'gzip' },
      { Host: 'evil.example' },
      { Host: 'localhost:1' },
      { Origin: 'https://evil.example' },
      { Origin: 'http://localhost:1' },
      { 'Mcp-Session-Id': 'x' },
      { 'Last-Event-ID': '1' },
      { 'X-Request-Id': 'mine' },
      { 'Transfer-Encoding': 'chunked' }
    ),
    weight: 3
  }
)

const right = (value: unknown): Body => ({
  text: typeof value === 'symbol' ? '' : JSON.stringify(value),
  encoding: 'utf8'
})

const post = (headers: Headers, body: Body): WireRequest => ({
  method: 'POST',
  target: MCP_PATH,
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
  body
})
