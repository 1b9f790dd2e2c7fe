// How the REST channel reads a request: path, query, body, and what it won't read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES } from '../../servers/middleware/body-limit.ts'
import { at, stringAt, uniqueEmail } from '../support/fixture.ts'
import { type ApiRequest, startTestServer, type TestServer } from '../support/http.ts'
import { exchangeRaw } from '../support/raw-socket.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(
    'sqlite',
    {},
    { alone: 'Caddy reads requests first, and refuses what is none' }
  )
})
afterAll(() => server.close())

const api = (method: string, path: string, request: ApiRequest = {}) =>
  server.api(method, path, { key: server.partner.key, ...request })

const create = async (fields: Record<string, unknown> = {}) =>
  stringAt(
    (await api('POST', '/customers', { body: { email: uniqueEmail(), ...fields } })).body,
    'data',
    'id'
  )

describe('a query', () => {
  it('gives numbers and texts to the operation as what they are', async () => {
    await create({ firstName: '12' })
    const { status, body } = await api('GET', '/customers?page=1&limit=1&search=12')
    expect(status).toBe(200)
    expect(body.pagination).toMatchObject({ currentPage: 1, limit: 1 })
    expect(at(body, 'data', 0, 'firstName')).toBe('12')
  })

  it('is refused by the name of a parameter that is given more than once', async () => {
    const { status, body } = await api('GET', '/customers?page=1&limit=2&limit=3')
    expect([status, body.code, body.field]).toEqual([400, 'invalid_input', 'limit'])
  })

  it('is refused by the name of a parameter that the operation doesn’t have', async () => {
    for (const field of ['offset', '__proto__', 'constructor', 'Page']) {
      const { status, body } = await api('GET', `/customers?${field}=1`)
      expect([status, body.field]).toEqual([400, field])
    }
  })

  it('is refused where the operation takes a body', async () => {
    for (const query of ['firstName=Ada', 'x', '__proto__=1']) {
      const { status, body } = await api('POST', `/customers?${query}`, { body: { email: uniqueEmail() } })
      expect([status, body.field]).toEqual([400, query.split('=')[0]])
    }
    expect((await api('POST', '/customers?', { body: { email: uniqueEmail() } })).status).toBe(200)
  })

  it('is refused when a number is anything but a whole number in decimal digits', async () => {
    for (const page of [
      '',
      ' 1',
      '1.5',
      '1e3',
      '0x10',
      'Infinity',
      'NaN',
      '0',
      '-1',
      '01x',
      '9'.repeat(40),
      'true'
    ]) {
      const { status, body } = await api('GET', `/customers?page=${encodeURIComponent(page)}`)
      expect([page, status, body.field]).toEqual([page, 400, 'page'])
    }
  })

  it('can’t name what stands in the path', async () => {
    const id = await create()
    const { status, body } = await api('GET', `/customers/${id}?customerId=other`)
    expect([status, body.field]).toEqual([400, 'customerId'])
  })

  it('survives broken percent signs', async () => {
    for (const search of ['%', '%zz', '%ff%fe', '%c0%ae']) {
      const { status } = await api('GET', `/customers?search=${search}`)
      expect([search, status]).toEqual([search, 200])
    }
  })
})

describe('a path', () => {
  it('is percent-decoded once', async () => {
    const id = await create()
    const encoded = [...id].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
    expect((await api('GET', `/customers/${encoded}`)).status).toBe(200)
    expect((await api('GET', `/customers/${encoded.replaceAll('%', '%25')}`)).status).toBe(404)
  })

  it('with an id that can’t be anyone’s is 404, and 400 where it can’t even be stored', async () => {
    for (const id of ['%2e%2e%2fadmin', '%zz', '%ff', '..%2f..', 'a%2fb', '%27%20or%201=1', '%E2%80%AE']) {
      const { status, body } = await api('GET', `/customers/${id}`)
      expect([id, status, body.success]).toEqual([id, 404, false])
    }
    for (const id of ['%00', 'x'.repeat(101), '%0a']) {
      const { status, body } = await api('GET', `/customers/${id}`)
      expect([status, body.field]).toEqual([400, 'customerId'])
    }
  })
})

describe('a body', () => {
  it('may be empty where nothing is required', async () => {
    const id = await create()
    expect((await api('PATCH', `/customers/${id}`)).status).toBe(200)
    expect((await api('POST', `/customers/${id}/portal-access`, { rawBody: '' })).status).toBe(200)
  })

  it('must be a JSON object', async () => {
    for (const rawBody of ['[]', 'null', '"text"', '17', 'true', '[{"email":"a@example.com"}]']) {
      const { status, body } = await api('POST', '/customers', { rawBody })
      expect([rawBody, status, body.code]).toEqual([rawBody, 400, 'invalid_input'])
    }
  })

  it('is refused when it isn’t JSON, without being quoted in answer or log', async () => {
    for (const rawBody of [
      '{',
      '{"email": hunter2}',
      'email=hunter2',
      '{"a":1}{"b":2}',
      '\u0000',
      '{"a":01}'
    ]) {
      const { status, body } = await api('POST', '/customers', { rawBody })
      expect([rawBody, status, body.error]).toEqual([rawBody, 400, 'The body is not valid JSON.'])
    }
    expect(server.logs.join('')).not.toContain('hunter2')
  })

  it('is refused when it isn’t UTF-8', async () => {
    const rawBody = new Uint8Array([
      ...Buffer.from('{"email":"a'),
      0xff,
      0xfe,
      ...Buffer.from('@example.com"}')
    ])
    const { status, body } = await api('POST', '/customers', { rawBody })
    expect([status, body.error]).toEqual([400, 'The body is not valid UTF-8.'])
  })

  it('must say that it is JSON', async () => {
    const rawBody = JSON.stringify({ email: uniqueEmail() })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'application/jsonp',
      'text/json, application/json'
    ]) {
      const { status, body } = await api('POST', '/customers', { rawBody, headers: { 'Content-Type': type } })
      expect([type, status, body.code]).toEqual([type, 415, 'unsupported_media_type'])
    }
    const bytes = await fetch(`${server.url}/api/v1/mcp/customers`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.partner.key}` },
      body: Buffer.from(rawBody)
    })
    expect(bytes.status).toBe(415)
  })

  it('may spell its content type in the ways that mean JSON', async () => {
    for (const type of [
      'application/json;charset=UTF-8',
      'Application/JSON; charset="utf-8"',
      'application/merge-patch+json'
    ]) {
      const rawBody = JSON.stringify({ email: uniqueEmail() })
      const { status } = await api('POST', '/customers', { rawBody, headers: { 'Content-Type': type } })
      expect([type, status]).toEqual([type, 200])
    }
  })

  it('must not be compressed', async () => {
    const { status, body } = await api('POST', '/customers', {
      body: { email: uniqueEmail() },
      headers: { 'Content-Encoding': 'gzip' }
    })
    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
  })

  it('can’t name what stands in the path', async () => {
    const id = await create()
    const { status, body } = await api('PATCH', `/customers/${id}`, {
      body: { customerId: id, firstName: 'Eve' }
    })
    expect([status, body.field]).toEqual([400, 'customerId'])
    expect((await api('GET', `/customers/${id}`)).body).toMatchObject({ data: { firstName: null } })
  })

  it('counts the last of two equal keys', async () => {
    const rawBody = `{"email":"${uniqueEmail()}","firstName":"Ada","firstName":"Eve"}`
    expect((await api('POST', '/customers', { rawBody })).body).toMatchObject({ data: { firstName: 'Eve' } })
  })

  it('can’t reach a prototype', async () => {
    const email = uniqueEmail()
    for (const rawBody of [
      `{"email":"${email}","__proto__":{"isAdmin":true}}`,
      `{"basic":{"email":"${email}","__proto__":{"isAdmin":true}}}`,
      `{"email":"${email}","constructor":{"prototype":{"isAdmin":true}}}`
    ]) {
      const path = rawBody.includes('basic') ? '/customers/onboard' : '/customers'
      expect((await api('POST', path, { rawBody })).status).toBe(400)
    }
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  })

  it('may nest as deep as it likes and is still only refused', async () => {
    const rawBody = `{"email":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const { status, body } = await api('POST', '/customers', { rawBody })
    expect([status, body.field]).toEqual([400, 'body'])
  })
})

describe('a body over the limit', () => {
  const head = (more: string) =>
    [
      'POST /api/v1/mcp/customers HTTP/1.1',
      `Host: ${new URL(server.url).host}`,
      `Authorization: Bearer ${server.partner.key}`,
      'Content-Type: application/json',
      'Connection: close',
      more,
      '',
      ''
    ].join('\r\n')

  it('is refused with 413 by its announced length, before any of it is sent', async () => {
    const answer = await exchangeRaw(server.url, head(`Content-Length: ${MAX_BODY_BYTES + 1}`))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"payload_too_large"')
  })

  it('is refused with 413 while it streams in without a length', async () => {
    const chunk = 'x'.repeat(65_536)
    const chunks = Array.from({ length: 17 }, () => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    const answer = await exchangeRaw(server.url, head('Transfer-Encoding: chunked') + chunks.join(''))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('is the first one that is refused: one of exactly the limit is read', async () => {
    const frame = JSON.stringify({ email: '' })
    const body = { email: 'x'.repeat(MAX_BODY_BYTES - frame.length) }
    const fits = await api('POST', '/customers', { body })
    expect([fits.status, fits.body.field]).toEqual([400, 'email'])
    const over = await api('POST', '/customers', { rawBody: ` ${JSON.stringify(body)}` })
    expect([over.status, over.body.code]).toEqual([413, 'payload_too_large'])
  })

  it('is not read at all without a key', async () => {
    const withoutKey = head(`Content-Length: ${MAX_BODY_BYTES}`).replace(/Authorization: .*\r\n/, '')
    expect(await exchangeRaw(server.url, withoutKey)).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('what is not HTTP', () => {
  const raw = (text: string) => exchangeRaw(server.url, text)

  it('is answered with 400 in the envelope, and the connection is closed', async () => {
    for (const text of [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET /\u0001 HTTP/1.1\r\nHost: x\r\n\r\n'
    ]) {
      const answer = await raw(text)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    }
    expect(await raw('nonsense\r\n\r\n')).toContain('"success":false')
  })

  it('can’t be smuggled with two lengths', async () => {
    const answer = await raw(
      'POST /api/v1/mcp/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('is refused with 431 when its headers are larger than 16 KiB', async () => {
    const answer = await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('is refused with 400 when its host is no host', async () => {
    const answer = await raw('GET /healthz HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"success":false')
  })
})
