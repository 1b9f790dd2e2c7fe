// What every answer carries, whichever channel and whichever way made it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/http.ts'

describe('every answer', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  const ask = (path: string, init: RequestInit = {}) => fetch(server.url + path, init)
  const message = (method: string, params: unknown = {}): RequestInit => ({
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.partner.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream'
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  })
  const progressing = { name: 'customer_list', arguments: {}, _meta: { progressToken: 'p' } }

  const answers: [string, () => Promise<Response>][] = [
    ['a probe', () => ask('/healthz')],
    ['a refusal', () => ask('/api/v1/mcp/customers')],
    ['a path that nobody has', () => ask('/nowhere')],
    ['a document', () => ask('/api/v1/mcp/openapi.json')],
    ['a page', () => ask('/api/v1/mcp/reference')],
    ['an answer without a body', () => ask('/api/v1/mcp/customers', { method: 'OPTIONS' })],
    ['a result over MCP', () => ask('/api/partner-mcp', message('tools/list'))],
    ['a stream over MCP', () => ask('/api/partner-mcp', message('tools/call', progressing))],
    ['a refusal over MCP', () => ask('/api/partner-mcp', { method: 'POST' })]
  ]

  it.each(answers)('names its request and forbids sniffing: %s', async (_, answerOf) => {
    const answer = await answerOf()
    await answer.text()
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{20}$/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    ['what a key may see is kept by nobody', '/api/v1/mcp/customers', 'no-store'],
    ['a document says for itself how long it keeps', '/api/v1/mcp/openapi.json', 'public, max-age=300']
  ])('%s', async (_, path, expected) => {
    const answer = await ask(path, { headers: { authorization: `Bearer ${server.partner.key}` } })
    await answer.text()
    expect(answer.headers.get('cache-control')).toBe(expected)
  })

  it('holds the whole tool list, in UTF-8 and with the id that was sent', async () => {
    const { body, ...init } = message('tools/list')
    const answer = await ask('/api/partner-mcp', {
      ...init,
      body: String(body).replace('"id":1', '"id":"ü"')
    })
    const text = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(text.byteLength))
    expect(JSON.parse(text.toString())).toMatchObject({
      id: 'ü',
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'customer_get' })]) }
    })
  })
})
