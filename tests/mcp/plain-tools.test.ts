// `POST {gateway}/tools/{tool}`: the tools of a gateway for workflows that speak plain HTTP.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MAX_BODY_BYTES } from '../../servers/middleware/body-limit.ts'
import { operations } from '../../src/operations.ts'
import { at, type Fixture, makeFixture, makeKey, makePartner, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { exchangeRaw } from '../support/raw-socket.ts'
import { clientHeaders } from './gateway-server.ts'
import { callTool } from './tool-faces.ts'

describe('tools over plain HTTP', () => {
  let server: TestServer
  let fixture: Fixture
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    fixture = await makeFixture(server.service, server.partner.partnerId)
  })
  afterAll(() => server.close())

  const plain = (
    tool: string,
    input: Record<string, unknown> = {},
    key: string | undefined = server.partner.key
  ) => callTool('plain HTTP', { url: server.url, gateway: 'partner', key, tool, input })
  const send = async (tool: string, init: RequestInit) => {
    const response = await fetch(`${server.url}/api/partner-mcp/tools/${tool}`, init)
    const body: unknown = await response.json()
    return { status: response.status, headers: response.headers, body }
  }
  const headers = () => clientHeaders(server.partner.key)

  it('answer success and what the operation answers', async () => {
    const answer = await plain('customer_get', { customerId: fixture.code })
    expect(answer.httpStatus).toBe(200)
    expect(JSON.parse(answer.text)).toEqual({ success: true, data: answer.output })
    expect(at(answer.output, 'data', 'id')).toBe(fixture.customerId)
  })

  it('are every tool that MCP lists', async () => {
    const offered = operations.filter(({ channels }) => channels.includes('mcp'))
    const answers = await Promise.all(offered.map(({ name }) => plain(name, { nonsense: true })))
    expect(offered.length).toBeGreaterThanOrEqual(15)
    for (const answer of answers) expect([answer.status, answer.code]).toEqual([400, 'invalid_input'])
  })

  it('take objects and lists as their JSON text, as MCP does', async () => {
    const email = uniqueEmail()
    const { output } = await plain('customer_onboard', {
      basic: JSON.stringify({ email }),
      requirements: { languages: '["de","fr"]' }
    })
    expect(at(output, 'data', 'email')).toBe(email)
  })

  it('take no body for no parameters', async () => {
    const { status, body } = await send('customer_list', { method: 'POST', headers: headers() })
    expect([status, at(body, 'data', 'pagination', 'currentPage')]).toEqual([200, 1])
  })

  it('refuse with the real status, the code, the field and the request id', async () => {
    const { status, body } = await send('customer_get', {
      method: 'POST',
      headers: { ...headers(), 'X-Request-Id': 'req-plain' },
      body: '{"customerId":"cus_none"}'
    })
    expect(status).toBe(404)
    expect(body).toEqual({
      success: false,
      error: expect.any(String),
      code: 'customer_not_found',
      field: 'customerId',
      requestId: 'req-plain'
    })
  })

  it('refuse a tool that there isn’t with 404, once the key is known', async () => {
    expect(await plain('customer_explode')).toMatchObject({ httpStatus: 404, code: 'not_found' })
    for (const name of ['constructor', '__proto__', 'toString', '%2e%2e'])
      expect((await plain(name)).httpStatus).toBe(404)
    expect(await plain('customer_explode', {}, 'nonsense')).toMatchObject({
      httpStatus: 401,
      code: 'unauthorized'
    })
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
    'refuse %s with 405 and say that POST is allowed',
    async (method) => {
      const answer = await send('customer_list', { method, headers: headers() })
      expect([answer.status, answer.headers.get('allow'), at(answer.body, 'success')]).toEqual([
        405,
        'POST',
        false
      ])
    }
  )

  it('refuse a missing and a wrong key with 401 and a challenge', async () => {
    const { Authorization: _, ...keyless } = headers()
    const missing = await send('customer_list', { method: 'POST', headers: keyless })
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="mindgate"'
    ])
    expect(await plain('customer_list', {}, `${server.partner.key}x`)).toMatchObject({
      httpStatus: 401,
      challenge: 'Bearer realm="mindgate", error="invalid_token"'
    })
  })

  it('refuse a key without the scope with 403 and name it', async () => {
    const { key } = await makeKey(server.service, server.partner.partnerId, { scopes: ['customers:read'] })
    expect(await plain('customer_create', { email: uniqueEmail() }, key)).toMatchObject({
      httpStatus: 403,
      code: 'missing_scope',
      challenge: 'Bearer realm="mindgate", error="insufficient_scope", scope="customers:write"'
    })
    expect((await plain('customer_list', {}, key)).httpStatus).toBe(200)
  })

  it.each([
    ['no JSON', '{', 400, 'invalid_input'],
    ['a list', '[]', 400, 'invalid_input'],
    ['what is too long', ' '.repeat(MAX_BODY_BYTES + 1), 413, 'payload_too_large'],
    ['what is nested too deep', '['.repeat(1000), 400, 'invalid_input']
  ])('refuse a body of %s', async (_case, body, status, code) => {
    const answer = await send('customer_list', { method: 'POST', headers: headers(), body })
    expect([answer.status, at(answer.body, 'code')]).toEqual([status, code])
  })

  it('refuse a body that isn’t called JSON with 415', async () => {
    const answer = await send('customer_list', {
      method: 'POST',
      headers: { ...headers(), 'Content-Type': 'text/plain' },
      body: '{}'
    })
    expect([answer.status, at(answer.body, 'code')]).toEqual([415, 'unsupported_media_type'])
  })

  it('refuse other hosts and pages of other origins with 403, before the key is looked at', async () => {
    const to = (...lines: string[]) =>
      exchangeRaw(
        server.url,
        [
          'POST /api/partner-mcp/tools/customer_list HTTP/1.1',
          ...lines,
          'Content-Length: 0',
          'Connection: close',
          '',
          ''
        ].join('\r\n')
      )
    for (const refused of [
      await to('Host: evil.example'),
      await to('Host: localhost', 'Origin: https://evil.example')
    ]) {
      expect(refused).toMatch(/^HTTP\/1\.1 403 /)
      expect(refused).toContain('"success":false')
      expect(refused).not.toContain('Access-Control')
    }
    expect(await to('Host: localhost')).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('let a page of ours ask first', async () => {
    const answer = await fetch(`${server.url}/api/partner-mcp/tools/customer_list`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:6274',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,idempotency-key'
      }
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('idempotency-key')
  })

  it('answer a repeated Idempotency-Key as the first time, and do nothing', async () => {
    const request = {
      url: server.url,
      gateway: 'partner',
      key: server.partner.key,
      tool: 'customer_create'
    } as const
    const input = { email: uniqueEmail() }
    const once = { ...request, input, idempotencyKey: uniqueEmail() }
    const first = await callTool('plain HTTP', once)
    const again = await callTool('plain HTTP', once)
    expect([first.status, first.isReplay, again.isReplay]).toEqual([200, false, true])
    expect(again.output).toEqual(first.output)
    expect(await callTool('plain HTTP', { ...once, input: { email: uniqueEmail() } })).toMatchObject({
      status: 409,
      code: 'idempotency_conflict'
    })
    // It is the same key over MCP.
    expect(await callTool('MCP 2025-11-25', once)).toMatchObject({ isReplay: true, output: first.output })
  })

  it('answer another partner’s customer like one that doesn’t exist', async () => {
    const stranger = await makePartner(server.service)
    const { customerId, code } = await makeFixture(server.service, stranger.partnerId)
    const answers = await Promise.all(
      ['cus_none', customerId, code].map((id) => plain('customer_get', { customerId: id }))
    )
    const withoutId = answers.map(({ status, text }) => [status, text.replace(/req_\w+/, '')])
    expect(withoutId[0]?.[0]).toBe(404)
    expect(withoutId[1]).toEqual(withoutId[0])
    expect(withoutId[2]).toEqual(withoutId[0])
  })

  it('are logged with their route’s pattern, their operation and the code, and never with the key', async () => {
    await send('customer_get', {
      method: 'POST',
      headers: { ...headers(), 'X-Request-Id': 'req-plain-logged' },
      body: '{"customerId":"cus_none"}'
    })
    await vi.waitFor(() => {
      const lines = server.logs
        .map((line) => JSON.parse(line))
        .filter((line) => line.requestId === 'req-plain-logged')
      expect(lines).toMatchObject([
        {
          channel: 'tools',
          route: '/api/partner-mcp/tools/:tool',
          operation: 'customer_get',
          code: 'customer_not_found',
          status: 404,
          keyId: server.partner.keyId
        }
      ])
    })
    expect(server.logs.join('')).not.toContain(server.partner.key)
  })
})

it('spend the key’s budget like every other request', async () => {
  const server = await startTestServer('sqlite', { RATE_LIMIT: '2' })
  const request = {
    url: server.url,
    gateway: 'partner',
    key: server.partner.key,
    tool: 'customer_list',
    input: {}
  } as const
  const statuses = []
  for (const face of ['plain HTTP', 'MCP 2025-11-25', 'plain HTTP', 'MCP 2026-07-28'] as const) {
    const { status, httpStatus, retryAfter } = await callTool(face, request)
    statuses.push([status, httpStatus, Number(retryAfter) > 0])
  }
  expect(statuses).toEqual([
    [200, 200, false],
    [200, 200, false],
    [429, 429, true],
    [429, 200, true]
  ])
  await server.close()
})
