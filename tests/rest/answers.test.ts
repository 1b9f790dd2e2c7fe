// What every answer of the REST channel has in common.
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../servers/app.ts'
import { makeKey, unique, uniqueEmail } from '../support/fixture.ts'
import { type ApiRequest, logLinesOf, startTestServer, type TestServer } from '../support/http.ts'

const ALONE = { alone: 'what happens to the database is SQLite’s' }

describe('an answer of the partner API', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer('sqlite', { PUBLIC_URL: 'https://api.example.com/' })
  })
  afterAll(() => server.close())

  const api = (method: string, path: string, request: ApiRequest = {}) =>
    server.api(method, path, { key: server.partner.key, ...request })

  it('says success with 200 and the operation’s output', async () => {
    const { status, body } = await api('GET', '/customers')
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, data: [], pagination: { totalCount: 0 } })
  })

  it('says what was refused with error, code, field and request id', async () => {
    const { status, body, headers } = await api('POST', '/customers', { body: { email: 'no' } })
    expect(status).toBe(400)
    expect(body).toEqual({
      success: false,
      error: expect.stringContaining('email'),
      code: 'invalid_input',
      field: 'email',
      requestId: headers.get('x-request-id')
    })
  })

  it('is not to be cached or sniffed', async () => {
    for (const key of [server.partner.key, undefined]) {
      const { headers } = await api('GET', '/customers', { key })
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('carries the caller’s request id if it is well-formed', async () => {
    const given = unique('my.request_')
    const { headers } = await api('GET', '/customers', { headers: { 'X-Request-Id': given } })
    expect(headers.get('x-request-id')).toBe(given)
  })

  it('carries a new request id instead of a malformed one', async () => {
    for (const given of ['a b', 'a"b', 'x'.repeat(65), '<script>']) {
      const { headers } = await api('GET', '/customers', { headers: { 'X-Request-Id': given } })
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{20}$/)
    }
  })

  it('asks for a bearer key with 401 when none was sent', async () => {
    const { status, headers, body } = await api('GET', '/customers', { key: undefined })
    expect(status).toBe(401)
    expect(body.code).toBe('unauthorized')
    expect(headers.get('www-authenticate')).toBe('Bearer realm="mindgate"')
  })

  it('says that a key is invalid with 401', async () => {
    for (const key of ['pkt_wrong', 'nonsense', `${server.partner.key}x`, server.partner.key.slice(0, -1)]) {
      const { status, headers } = await api('GET', '/customers', { key })
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toBe('Bearer realm="mindgate", error="invalid_token"')
    }
  })

  it('names the missing scope with 403', async () => {
    const { key } = await makeKey(server.service, server.partner.partnerId, { scopes: ['customers:read'] })
    const { status, headers, body } = await api('POST', '/customers', {
      key,
      body: { email: uniqueEmail() }
    })
    expect(status).toBe(403)
    expect(body.code).toBe('missing_scope')
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="mindgate", error="insufficient_scope", scope="customers:write"'
    )
  })

  it('is 404 in the same envelope for a path or method that is not there', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['PUT', '/customers'],
      ['DELETE', '/customers'],
      ['GET', '/customers/'],
      ['GET', '/../../../etc/passwd']
    ] as const) {
      const { status, body } = await api(method, path)
      expect([method, path, status]).toEqual([method, path, 404])
      expect(body).toMatchObject({ success: false, code: 'not_found', requestId: expect.any(String) })
    }
    const outside = await fetch(`${server.url}/nowhere`)
    expect(outside.status).toBe(404)
    expect(await outside.json()).toMatchObject({ success: false, code: 'not_found' })
  })

  it('has no body on HEAD and the status of GET', async () => {
    const known = await api('HEAD', '/customers')
    expect([known.status, known.body]).toEqual([200, {}])
    expect((await api('HEAD', '/customers/cus_unknown')).status).toBe(404)
    expect((await api('HEAD', '/customers', { key: undefined })).status).toBe(401)
  })

  it('tells the methods of a path on OPTIONS, and lets no other origin in', async () => {
    const { status, headers } = await api('OPTIONS', '/customers/x', {
      headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'PATCH' }
    })
    expect(status).toBe(204)
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH'])
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('says that X-API-Key is deprecated, on success and on refusal', async () => {
    const headers = { 'X-API-Key': server.partner.key }
    for (const [path, status] of [
      ['/customers', 200],
      ['/customers/cus_unknown', 404]
    ] as const) {
      const answer = await api('GET', path, { key: undefined, headers })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('deprecation')).toMatch(/^@\d{10}$/)
      expect(answer.headers.get('link')).toBe(
        '<https://api.example.com/api/v1/mcp/reference#authentication>; rel="deprecation"; type="text/html"'
      )
    }
  })

  it('says nothing of deprecation to a bearer key', async () => {
    const { headers } = await api('GET', '/customers', { headers: { 'X-API-Key': 'ignored' } })
    expect(headers.get('deprecation')).toBeNull()
    expect(headers.get('link')).toBeNull()
  })

  it('is logged in one line without path, key or body', async () => {
    const email = uniqueEmail()
    const { body, headers } = await api('POST', '/customers', { body: { email } })
    expect(body.success).toBe(true)
    await api('GET', '/customers?search=secret-query')
    const requestId = headers.get('x-request-id') ?? ''
    const lines = logLinesOf(server.logs, requestId)
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        msg: 'request',
        requestId,
        method: 'POST',
        route: '/api/v1/mcp/customers',
        status: 200,
        durationMs: expect.any(Number),
        channel: 'rest',
        operation: 'customer_create',
        partnerId: server.partner.partnerId,
        keyId: server.partner.keyId
      }
    ])
    const everything = server.logs.join('')
    for (const secret of [server.partner.key, email, 'secret-query']) expect(everything).not.toContain(secret)
  })

  it('is logged by the route’s pattern, so that ids stay out', async () => {
    const { headers } = await api('GET', '/customers/cus_private')
    const [line] = logLinesOf(server.logs, headers.get('x-request-id') ?? '')
    expect(line).toMatchObject({
      route: '/api/v1/mcp/customers/:customerId',
      status: 404,
      code: 'customer_not_found'
    })
    expect(server.logs.join('')).not.toContain('cus_private')
  })

  it('is logged quietly when it is a probe’s', async () => {
    const { headers } = await fetch(`${server.url}/healthz`)
    expect(logLinesOf(server.logs, headers.get('x-request-id') ?? '')).toMatchObject([
      { level: 'debug', route: '/healthz', status: 200 }
    ])
  })

  it('is 500 without details when something breaks, and the log has the error once', async () => {
    const broken = await startTestServer('sqlite', {}, ALONE)
    await broken.service.database.transaction((tx) => tx.schema.dropTable('customer').execute())
    const { status, body, headers } = await broken.api('GET', '/customers', { key: broken.partner.key })
    expect(status).toBe(500)
    expect(body).toMatchObject({ success: false, code: 'internal' })
    expect(JSON.stringify(body)).not.toMatch(/table|sqlite|select/i)
    const lines = logLinesOf(broken.logs, headers.get('x-request-id') ?? '')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      level: 'error',
      error: { message: expect.stringContaining('customer') }
    })
    await broken.close()
  })

  it('is 503 with Retry-After to a write while another process locks the database, which stops no read', async () => {
    const locked = await startTestServer('sqlite', { BUSY_DEADLINE_MS: '2000' }, ALONE)
    const { key } = locked.partner
    const other = new Sqlite(locked.service.config.databaseLocation)
    other.exec('begin immediate')
    const writing = Array.from({ length: 20 }, () =>
      locked.api('POST', '/customers', { key, body: { email: uniqueEmail() } })
    )
    let hasAnswered = false
    const first = Promise.race(writing).then(() => {
      hasAnswered = true
    })
    // All of them wait: what reads isn't one of those who do.
    expect((await locked.api('GET', '/customers', { key })).status).toBe(200)
    expect((await fetch(`${locked.url}/readyz`)).status).toBe(200)
    expect(hasAnswered).toBe(false)
    await first
    for (const { status, headers, body } of await Promise.all(writing))
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'database_busy'])
    other.close()
    const { status } = await locked.api('POST', '/customers', { key, body: { email: uniqueEmail() } })
    expect(status).toBe(200)
    await locked.close()
  })

  it('closes its connection while the process is about to stop', async () => {
    const app = createApp(server.service, () => true)
    const answer = await app.request('/api/v1/mcp/customers')
    expect(answer.headers.get('connection')).toBe('close')
  })
})

describe('health', () => {
  it('is alive, and ready while the database answers', async () => {
    const server = await startTestServer('postgres')
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await server.service.database.transaction((tx) => tx.schema.dropTable('setting').execute())
    const unready = await fetch(`${server.url}/readyz`)
    expect([unready.status, await unready.json()]).toEqual([
      503,
      { status: 'unavailable', reason: 'database' }
    ])
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await server.close()
  })

  it('is not ready when the database takes longer than two seconds', async () => {
    const server = await startTestServer('postgres')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let isLocked = () => {}
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve
    })
    const lock = server.service.database.transaction(async (tx) => {
      await tx.schema.alterTable('setting').addColumn('extra', 'text').execute()
      isLocked()
      await released
    })
    await locked
    const unready = await fetch(`${server.url}/readyz`)
    expect(unready.status).toBe(503)
    release()
    await lock
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await server.close()
  })

  it('is not ready while the process drains', async () => {
    const server = await startTestServer('sqlite', {}, ALONE)
    const answer = await createApp(server.service, () => true).request('/readyz')
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'unavailable', reason: 'draining' }])
    await server.close()
  })
})
