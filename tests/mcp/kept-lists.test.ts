// Lists are kept as the SDK answered them: nobody may see by that what isn't for them, nor an answer change by it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, makeKey } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { clientHeaders } from './gateway-server.ts'
import { type MemoryFixture, makeMemoryFixture } from './memory-fixture.ts'
import { modern, modernHeaders, request, toolNames } from './messages.ts'

let server: TestServer
let fixture: MemoryFixture
beforeAll(async () => {
  server = await startTestServer('sqlite')
  fixture = await makeMemoryFixture(server.service)
})
afterAll(() => server.close())

async function post(body: unknown, headers: Record<string, string> = {}, path = '/api/partner-mcp') {
  const key = fixture.partner.key
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { ...clientHeaders(key), ...headers },
    body: JSON.stringify(body)
  })
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
}

describe.each([false, true])('a list that is asked for again (2026-07-28: %s)', (isModern) => {
  const asked = (id: string | number, params = {}) => {
    const message = { ...request('tools/list', params), id }
    return isModern ? { ...modern(message), id } : message
  }
  const headers = isModern ? modernHeaders(request('tools/list')) : {}

  it('is the same but for its id', async () => {
    const first = await post(asked('one'), headers)
    const second = await post(asked('two'), headers)
    expect(first.body).toMatchObject({ id: 'one', result: { tools: expect.any(Array) } })
    expect(second).toEqual({ ...first, body: { ...Object(first.body), id: 'two' } })
  })

  it('is refused for what the SDK refuses, whatever was kept', async () => {
    await post(asked(1), headers)
    expect(at((await post(asked(1, { cursor: 'next' }), headers)).body, 'error', 'code')).toBe(-32602)
    expect((await post({ ...asked(1), id: 1.5 }, headers)).body).not.toHaveProperty('result')
    expect((await post({ ...asked(1), jsonrpc: '1.0' }, headers)).status).toBe(400)
    const wrong = { ...headers, 'mcp-protocol-version': '1999-01-01' }
    expect((await post(asked(1), wrong)).status).toBe(400)
    if (isModern) expect((await post(asked(1), { ...headers, 'mcp-method': 'tools/call' })).status).toBe(400)
  })

  it('has another address’s, or another key’s, tools only there', async () => {
    const whole = toolNames((await post(asked(1), headers)).body)
    const few = toolNames((await post(asked(1), headers, '/api/partner-mcp/x/memory')).body)
    expect(whole.length).toBeGreaterThan(few.length)
    const { key } = await makeKey(server.service, fixture.partner.partnerId, { scopes: ['memory:read'] })
    const read = await post(asked(1), { ...headers, ...clientHeaders(key) })
    expect(toolNames(read.body)).not.toContain('memory_remember')
    expect(toolNames((await post(asked(1), headers)).body)).toEqual(whole)
  })
})
