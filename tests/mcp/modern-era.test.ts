// From 2026-07-28 on: no handshake, every request says its version, and the headers repeat what proxies route by.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { at } from '../support/fixture.ts'
import { type GatewayServer, startGateway } from './gateway-server.ts'
import { call, errorCode, modern, modernHeaders, request, toolNames } from './messages.ts'

let gateway: GatewayServer
beforeAll(async () => {
  gateway = await startGateway('sqlite')
})
afterAll(() => gateway.close())

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo'
const serverInfo = { name: 'mindgate', title: 'Mindgate', version: VERSION }

/** Posts as a correct client does; `headers` replace its own, and `undefined` leaves one out. */
const post = (message: ReturnType<typeof request>, headers: Record<string, string | undefined> = {}) => {
  const merged = Object.entries({ ...modernHeaders(message), ...headers })
  const sent = merged.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return gateway.post(modern(message), Object.fromEntries(sent))
}

describe('server/discover', () => {
  it('says versions, capabilities, instructions and who we are', async () => {
    const { status, json } = await post(request('server/discover'))
    expect(status).toBe(200)
    expect(at(json, 'result')).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        prompts: { listChanged: false }
      },
      instructions: expect.stringContaining('customer_list'),
      ttlMs: expect.any(Number),
      cacheScope: 'private',
      _meta: { [SERVER_INFO]: serverInfo }
    })
  })
})

describe('results', () => {
  it('of tools/list say how long they may be kept, for this key alone', async () => {
    const { json } = await post(request('tools/list'))
    expect(toolNames(json)).toContain('customer_get')
    expect(at(json, 'result')).toMatchObject({
      resultType: 'complete',
      ttlMs: expect.any(Number),
      cacheScope: 'private',
      _meta: { [SERVER_INFO]: serverInfo }
    })
  })

  it('of tools/call are complete and signed', async () => {
    const { json } = await post(call('customer_list'))
    expect(at(json, 'result')).toEqual({
      content: [{ type: 'text', text: expect.any(String) }],
      structuredContent: expect.objectContaining({ data: [] }),
      resultType: 'complete',
      _meta: { [SERVER_INFO]: serverInfo }
    })
  })

  it('of a refused call carry the error beside the signature, on HTTP 200', async () => {
    const { status, json } = await post(call('customer_get', { customerId: 'cus_none' }))
    expect(status).toBe(200)
    expect(at(json, 'result')).toMatchObject({
      isError: true,
      resultType: 'complete',
      _meta: { [SERVER_INFO]: serverInfo, 'mindgate/error': { status: 404, code: 'customer_not_found' } }
    })
  })
})

describe('methods that this era doesn’t have', () => {
  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'subscriptions/listen',
    'resources/subscribe',
    'constructor'
  ])('%s is 404 with −32601 and the request’s id', async (method) => {
    const { status, json } = await post(request(method, {}, 'an-id'))
    expect([status, errorCode(json), at(json, 'id')]).toEqual([404, -32601, 'an-id'])
  })
})

describe('headers', () => {
  it.each([
    ['MCP-Protocol-Version is missing', { 'MCP-Protocol-Version': undefined }],
    ['MCP-Protocol-Version is another than the body’s', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['Mcp-Method is missing', { 'Mcp-Method': undefined }],
    ['Mcp-Method is another than the body’s', { 'Mcp-Method': 'tools/list' }],
    ['Mcp-Method differs in case', { 'Mcp-Method': 'Tools/Call' }],
    ['Mcp-Name is missing', { 'Mcp-Name': undefined }],
    ['Mcp-Name is another than the body’s', { 'Mcp-Name': 'customer_get' }],
    ['Mcp-Name is not base64 though it says so', { 'Mcp-Name': '=?base64?!!?=' }],
    ['Mcp-Name is base64 of another name', { 'Mcp-Name': encoded('customer_get') }]
  ])('400 with −32020 and the request’s id when %s', async (_case, headers) => {
    const { status, json } = await post({ ...call('customer_list'), id: 'an-id' }, headers)
    expect([status, errorCode(json), at(json, 'id')]).toEqual([400, -32020, 'an-id'])
  })

  it.each([
    ['in base64', encoded('customer_list')],
    ['with white space around it', '  customer_list\t']
  ])('Mcp-Name may come %s', async (_case, name) => {
    const { status, json } = await post(call('customer_list'), { 'Mcp-Name': name })
    expect([status, at(json, 'result', 'resultType')]).toEqual([200, 'complete'])
  })

  it('names the field of a request without Mcp-Name only where there is one', async () => {
    expect((await post(request('tools/list'), { 'Mcp-Name': undefined })).status).toBe(200)
  })
})

describe('versions', () => {
  it.each(['2027-01-01', '2026-07-29', 'not-a-version'])(
    '%s is refused with −32022 and what we speak',
    async (version) => {
      const message = request('tools/list')
      const { status, json } = await gateway.post(modern(message, version), modernHeaders(message, version))
      expect([status, errorCode(json), at(json, 'id')]).toEqual([400, -32022, 1])
      expect(at(json, 'error', 'data')).toEqual({ supported: ['2026-07-28'], requested: version })
    }
  )

  it('in the header alone is a malformed request: 400 with −32602', async () => {
    const message = request('tools/list')
    const { status, json } = await gateway.post(message, modernHeaders(message))
    expect([status, errorCode(json)]).toEqual([400, -32602])
  })

  it('without the client’s capabilities is a malformed request: 400 with −32602', async () => {
    const message = request('tools/list', {
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    })
    const { status, json } = await gateway.post(message, modernHeaders(message))
    expect([status, errorCode(json)]).toEqual([400, -32602])
  })

  it('has no batches: 400 with −32600', async () => {
    const { status, json } = await gateway.post([modern(request('tools/list'))], {
      'MCP-Protocol-Version': '2026-07-28'
    })
    expect([status, errorCode(json)]).toEqual([400, -32600])
  })
})

describe('tools/call', () => {
  it('of a tool that doesn’t exist is −32602 on HTTP 200', async () => {
    const { status, json } = await post(call('customer_explode'))
    expect([status, errorCode(json)]).toEqual([200, -32602])
  })

  it('without a name is −32602', async () => {
    expect(errorCode((await post(request('tools/call', { arguments: {} }))).json)).toBe(-32602)
  })
})

it('takes a notification with 202, whatever its headers', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const { status, text } = await gateway.post(notification, { 'MCP-Protocol-Version': '2026-07-28' })
  expect([status, text]).toEqual([202, ''])
})

function encoded(name: string): string {
  return `=?base64?${Buffer.from(name).toString('base64')}?=`
}
