// Up to 2025-11-25: a handshake, then messages. No database is behind these rules, so one is enough.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at } from '../support/fixture.ts'
import { type GatewayServer, startGateway } from './gateway-server.ts'
import { call, errorCode, request, toolNames } from './messages.ts'

let gateway: GatewayServer
beforeAll(async () => {
  gateway = await startGateway('sqlite')
})
afterAll(() => gateway.close())

const initialize = (protocolVersion: unknown) =>
  request('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' }
  })

describe('initialize', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('agrees to %s', async (version) => {
    const { status, json } = await gateway.post(initialize(version))
    expect(status).toBe(200)
    expect(at(json, 'result', 'protocolVersion')).toBe(version)
  })

  it.each(['2023-01-01', '2099-01-01'])('offers the newest version to a client of %s', async (version) => {
    const { json } = await gateway.post(initialize(version))
    expect(at(json, 'result', 'protocolVersion')).toBe('2025-11-25')
  })

  it('announces lists that don’t change', async () => {
    const { json } = await gateway.post(initialize('2025-11-25'))
    expect(at(json, 'result', 'capabilities')).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      prompts: { listChanged: false }
    })
  })

  it('hands out no session', async () => {
    const { headers } = await gateway.post(initialize('2025-11-25'))
    expect(headers).not.toHaveProperty('mcp-session-id')
  })

  it('refuses a version that is not a text with −32602', async () => {
    expect(errorCode((await gateway.post(initialize(7))).json)).toBe(-32602)
  })

  it('is not a request of the newer era: with its header the two disagree', async () => {
    const { status, json } = await gateway.post(initialize('2026-07-28'), {
      'MCP-Protocol-Version': '2026-07-28'
    })
    expect([status, errorCode(json)]).toEqual([400, -32020])
  })
})

describe('requests', () => {
  it('are answered with plain JSON under the id that they came with', async () => {
    const answer = await gateway.post(request('ping', {}, 'a "quoted" id'))
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 'a "quoted" id', result: {} })
  })

  it('need no handshake before: every request stands alone', async () => {
    expect(toolNames((await gateway.post(request('tools/list'))).json)).toContain('customer_list')
  })

  it('carry nothing of the newer era in their results', async () => {
    const { json } = await gateway.post(request('tools/list'))
    expect(Object.keys(Object(at(json, 'result')))).toEqual(['tools'])
  })

  it('to a method that doesn’t exist get −32601 on HTTP 200', async () => {
    const { status, json } = await gateway.post(request('resources/subscribe', { uri: 'memory://x/profile' }))
    expect([status, errorCode(json)]).toEqual([200, -32601])
  })

  it.each(['server/discover', 'subscriptions/listen'])(
    'to %s, which this era doesn’t know, get −32601',
    async (method) => {
      expect(errorCode((await gateway.post(request(method))).json)).toBe(-32601)
    }
  )

  it('with a version header that we don’t speak get 400', async () => {
    const { status, json } = await gateway.post(request('ping'), { 'MCP-Protocol-Version': '2024-01-01' })
    expect([status, errorCode(json), at(json, 'id')]).toEqual([400, -32000, null])
  })

  it('for another page of the tool list get −32602, as there is only one', async () => {
    expect(errorCode((await gateway.post(request('tools/list', { cursor: 'x' }))).json)).toBe(-32602)
  })

  it('ignore the newer era’s routing headers', async () => {
    const { json } = await gateway.post(request('ping'), { 'Mcp-Method': 'tools/list', 'Mcp-Name': 'x' })
    expect(at(json, 'result')).toEqual({})
  })
})

describe('messages that nobody waits for', () => {
  it.each([
    ['notifications/initialized', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    [
      'the cancelling of a request',
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'changed my mind' }
      }
    ],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }]
  ])('%s is taken with 202 and no body', async (_name, message) => {
    const { status, text } = await gateway.post(message)
    expect([status, text]).toEqual([202, ''])
  })

  it('cancelling an id doesn’t touch another client’s call of the same id', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const [answer] = await Promise.all([gateway.post(call('customer_list')), gateway.post(cancelled)])
    expect(at(answer.json, 'result', 'structuredContent', 'data')).toEqual([])
  })
})

describe('batches', () => {
  const batch = [
    request('ping', {}, 1),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    call('nope')
  ]

  it.each([undefined, '2025-03-26'])('are answered in order (version header: %s)', async (version) => {
    const { status, json } = await gateway.post(
      [...batch, request('tools/list', {}, 'last')],
      version ? { 'MCP-Protocol-Version': version } : {}
    )
    expect(status).toBe(200)
    expect(json).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32602 }) }),
      expect.objectContaining({ id: 'last', result: expect.anything() })
    ])
  })

  it('of notifications alone are taken with 202', async () => {
    const { status, text } = await gateway.post([batch[1], batch[1]])
    expect([status, text]).toEqual([202, ''])
  })

  it('write one log line for each tool call', async () => {
    await gateway.post([call('customer_list'), call('team_member_list', { customerId: 'cus_none' })], {
      'X-Request-Id': 'req-batch'
    })
    const lines = gateway.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'tool called')
    expect(lines.filter(({ requestId }) => requestId === 'req-batch')).toMatchObject([
      { operation: 'customer_list', status: 200 },
      { operation: 'team_member_list', status: 404, code: 'customer_not_found' }
    ])
  })

  it.each([
    ['are gone since 2025-06-18', batch, '2025-06-18'],
    ['must not be empty', [], undefined],
    ['hold no initialize', [initialize('2025-03-26')], undefined],
    ['hold at most 20 messages', Array.from({ length: 21 }, () => batch[0]), undefined],
    ['hold nothing but messages', [batch[0], 'ping'], undefined]
  ])('%s: 400 with −32600', async (_rule, messages, version) => {
    const { status, json } = await gateway.post(messages, version ? { 'MCP-Protocol-Version': version } : {})
    expect([status, errorCode(json)]).toEqual([400, -32600])
  })
})
