// The addresses of a gateway: groups of its tools, those that only read, the page for people, and the documents for
// programs without MCP.
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, makeKey } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { clientHeaders } from './gateway-server.ts'
import { type MemoryFixture, makeMemoryFixture } from './memory-fixture.ts'
import { call, errorCode, request, toolNames } from './messages.ts'

let server: TestServer
let fixture: MemoryFixture
beforeAll(async () => {
  server = await startTestServer('sqlite')
  fixture = await makeMemoryFixture(server.service, server.partner)
})
afterAll(() => server.close())

const post = async (path: string, message: unknown, key = server.partner.key) => {
  const headers = clientHeaders(key)
  const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(message) })
  const json: unknown = await response.json()
  return { status: response.status, json }
}
const listAt = async (path: string, key?: string) => (await post(path, request('tools/list'), key)).json

const GROUPS = ['memory', 'customers', 'servers', 'usage']

describe('groups of tools', () => {
  it('hold every tool of the whole list once', async () => {
    const whole = toolNames(await listAt('/api/partner-mcp'))
    const lists = await Promise.all(GROUPS.map((group) => listAt(`/api/partner-mcp/x/${group}`)))
    expect(lists.flatMap(toolNames).toSorted()).toEqual(whole.toSorted())
    for (const list of lists) expect(toolNames(list).length).toBeGreaterThan(0)
  })

  it.each(['', ...GROUPS.map((group) => `/x/${group}`)])(
    '"%s/readonly" holds what only reads',
    async (path) => {
      const list = await listAt(`/api/partner-mcp${path}/readonly`)
      const tools = at(list, 'result', 'tools')
      const hints = Array.isArray(tools)
        ? tools.map((tool: unknown) => at(tool, 'annotations', 'readOnlyHint'))
        : []
      expect(hints.length).toBeGreaterThan(0)
      expect(hints.every((hint) => hint === true)).toBe(true)
      const all: unknown = await listAt(`/api/partner-mcp${path}`)
      expect(toolNames(all)).toEqual(expect.arrayContaining(toolNames(list)))
    }
  )

  it.each(['', ...GROUPS.map((group) => `/x/${group}`)].flatMap((path) => [path, `${path}/readonly`]))(
    '"%s" tells of no tool that it doesn’t have',
    async (path) => {
      for (const [gateway, key] of [
        ['/api/partner-mcp', undefined],
        ['/api/mcp', fixture.token]
      ] as const) {
        if (gateway === '/api/mcp' && path.startsWith('/x/')) continue
        const own = toolNames(await listAt(gateway + path, key))
        const all = toolNames(await listAt(gateway, key))
        const params = {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 't', version: '1' }
        }
        const { json } = await post(gateway + path, request('initialize', params), key)
        const instructions = String(at(json, 'result', 'instructions'))
        expect(instructions.length).toBeGreaterThan(50)
        if (path === '') expect(all.some((name) => instructions.includes(String(name)))).toBe(true)
        expect(all.filter((name) => !own.includes(name) && instructions.includes(String(name)))).toEqual([])
      }
    }
  )

  it('call no tool of another group, and no tool that writes where only reading is offered', async () => {
    const { customerId } = fixture
    for (const [path, tool] of [
      ['/x/customers', 'memory_recall'],
      ['/x/memory/readonly', 'memory_remember'],
      ['/readonly', 'customer_update']
    ] as const) {
      const { json } = await post(`/api/partner-mcp${path}`, call(tool, { customerId, content: 'x' }))
      expect(errorCode(json)).toBe(-32602)
    }
    const { json } = await post('/api/partner-mcp/x/memory', call('memory_recall', { customerId }))
    expect(at(json, 'result', 'structuredContent', 'mindId')).toEqual(expect.any(String))
  })

  it('are named where one is asked for that there isn’t', async () => {
    const { status, json } = await post('/api/partner-mcp/x/everything', request('tools/list'))
    expect([status, at(json, 'error', 'message')]).toEqual([
      404,
      expect.stringContaining('memory, customers')
    ])
  })

  it('need a key that opens one of their tools', async () => {
    expect((await post('/api/partner-mcp/x/servers', request('tools/list'), 'pkt_none')).status).toBe(401)
    expect(await listAt('/api/mcp/readonly', fixture.token)).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'internal_memory_recall' })]) }
    })
  })
})

describe('a browser', () => {
  const open = (path: string) => fetch(server.url + path, { headers: { Accept: 'text/html,*/*' } })

  it.each([
    ['/api/mcp', 'mct_…'],
    ['/api/partner-mcp', 'pkt_…'],
    ['/api/partner-mcp/x/memory/readonly', 'pkt_…']
  ])('is told at %s how to connect', async (path, credential) => {
    const answer = await open(path)
    const page = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html')
    ])
    expect(page).toContain(`Bearer ${credential}`)
    expect(page).toContain(path)
    expect(page).toMatch(/href="[^"]*\/api\/(partner-)?mcp\/openapi\.json"/)
  })

  it('can’t put anything into the page by the address', async () => {
    const page = await (await open('/api/mcp?"><script>alert(1)</script>')).text()
    expect(page).not.toContain('alert(1)')
  })
})

describe('programs without MCP', () => {
  const get = async (path: string, key?: string) => {
    const response = await fetch(server.url + path, {
      headers: key ? { Authorization: `Bearer ${key}` } : {}
    })
    const json: unknown = await response.json()
    return { status: response.status, json }
  }

  it('find the tools of their key, the same as over MCP', async () => {
    const key = (await makeKey(server.service, server.partner.partnerId, { scopes: ['memory:read'] })).key
    const { status, json } = await get('/api/partner-mcp/tools', key)
    expect(status).toBe(200)
    const listed = at(json, 'data')
    const names = Array.isArray(listed) ? listed.map((tool: unknown) => at(tool, 'name')) : []
    expect(names).toEqual(toolNames(await listAt('/api/partner-mcp', key)))
    expect((await get('/api/partner-mcp/tools')).status).toBe(401)
  })

  it.each(['/api/mcp', '/api/partner-mcp'])('find a valid OpenAPI document of %s', async (path) => {
    const { status, json } = await get(`${path}/openapi.json`)
    expect(status).toBe(200)
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(json)))
    expect([valid, errors]).toEqual([true, undefined])
    const paths = Object.keys(Object(at(json, 'paths')))
    const key = path === '/api/mcp' ? fixture.token : server.partner.key
    expect(paths).toEqual(toolNames(await listAt(path, key)).map((name) => `/tools/${name}`))
  })
})

describe('a key at the other gateway', () => {
  it('is told which one it opens', async () => {
    const theirs = await post('/api/mcp', request('tools/list'))
    expect([theirs.status, at(theirs.json, 'error', 'message')]).toEqual([
      401,
      expect.stringContaining('/api/partner-mcp')
    ])
    const own = await post('/api/partner-mcp', request('tools/list'), fixture.token)
    expect([own.status, at(own.json, 'error', 'message')]).toEqual([
      401,
      expect.stringContaining('/api/mcp.')
    ])
  })
})
