// What the gateway makes of HTTP: methods, media types, sizes, hosts and origins.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES } from '../../servers/middleware/body-limit.ts'
import { at } from '../support/fixture.ts'
import { clientHeaders, type GatewayServer, startGateway } from './gateway-server.ts'
import { errorCode, request } from './messages.ts'

let gateway: GatewayServer
beforeAll(async () => {
  gateway = await startGateway('sqlite', {
    env: {
      PUBLIC_URL: 'https://api.partner.example',
      ALLOWED_HOSTS: 'mcp.partner.example, [2001:db8::1]:8443'
    }
  })
})
afterAll(() => gateway.close())

const ping = JSON.stringify(request('ping'))
const sendPing = (headers: Record<string, string>) =>
  gateway.send({ headers: { ...clientHeaders(gateway.partner.key), ...headers }, body: ping })

describe('methods', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s is 405 and says that POST is allowed', async (method) => {
    const { status, headers, json } = await gateway.send({
      method,
      headers: clientHeaders(gateway.partner.key)
    })
    expect([status, headers.allow, at(json, 'jsonrpc')]).toEqual([405, 'POST', '2.0'])
  })
})

describe('bodies', () => {
  const post = (body: string | Buffer | readonly string[], headers: Record<string, string> = {}) =>
    gateway.send({ headers: { ...clientHeaders(gateway.partner.key), ...headers }, body })

  it.each([
    ['nothing', ''],
    ['half an object', '{"jsonrpc":"2.0",'],
    ['another language', '<xml/>'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])]
  ])('of %s get 400 with −32700 and no id', async (_case, body) => {
    const { status, json } = await post(body)
    expect([status, errorCode(json), at(json, 'id')]).toEqual([400, -32700, null])
  })

  it.each([
    ['a number', '7'],
    ['a text', '"ping"'],
    ['null', 'null'],
    ['an object that is no message', '{}'],
    ['another JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['a request whose id is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['a request whose id is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":7}'],
    ['params that are no object', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}'],
    ['a thousand nested lists', `${'['.repeat(1000)}${']'.repeat(1000)}`]
  ])('of %s get 400 with −32600', async (_case, body) => {
    const { status, json } = await post(body)
    expect([status, errorCode(json)]).toEqual([400, -32600])
  })

  it('may be as long as the limit', async () => {
    const padded = ping + ' '.repeat(MAX_BODY_BYTES - ping.length)
    expect((await post(padded)).status).toBe(200)
  })

  it('that are announced as longer get 413 as a JSON-RPC error', async () => {
    const { status, json } = await post(ping + ' '.repeat(MAX_BODY_BYTES))
    expect([status, at(json, 'jsonrpc'), at(json, 'id')]).toEqual([413, '2.0', null])
  })

  it('that turn out longer while they arrive get 413', async () => {
    const chunk = ' '.repeat(MAX_BODY_BYTES / 4)
    const { status } = await post([ping, chunk, chunk, chunk, chunk, chunk])
    expect(status).toBe(413)
  })

  it('that arrive in chunks are read whole', async () => {
    const { status, json } = await post([ping.slice(0, 9), ping.slice(9)])
    expect([status, at(json, 'result')]).toEqual([200, {}])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json-seq', ''])(
    'of type "%s" get 415',
    async (type) => {
      expect((await post(ping, { 'Content-Type': type })).status).toBe(415)
    }
  )

  it('may say their charset', async () => {
    expect((await post(ping, { 'Content-Type': 'application/json; charset=utf-8' })).status).toBe(200)
  })
})

describe('Accept', () => {
  it.each(['*/*', 'application/json', 'application/*;q=0.5', 'application/json, text/event-stream'])(
    '%s gets JSON',
    async (accept) => {
      expect((await sendPing({ Accept: accept })).status).toBe(200)
    }
  )

  it('without JSON in it is 406', async () => {
    expect((await sendPing({ Accept: 'text/html' })).status).toBe(406)
  })
})

describe('hosts', () => {
  it.each([
    'localhost',
    'localhost:9999',
    '127.0.0.1',
    '[::1]:80',
    'api.partner.example',
    'API.partner.example:8443',
    'mcp.partner.example',
    '[2001:db8::1]'
  ])('%s is served', async (host) => {
    expect((await sendPing({ Host: host })).status).toBe(200)
  })

  it.each(['evil.example.com', 'api.partner.example.evil.com', 'localhost.evil.com', '169.254.169.254'])(
    '"%s" is 403, before the key is looked at',
    async (host) => {
      const { status, json } = await gateway.send({ headers: { Host: host }, body: ping })
      expect([status, at(json, 'jsonrpc')]).toEqual([403, '2.0'])
    }
  )
})

describe('origins', () => {
  it.each(['https://evil.example.com', 'null', 'http://localhost.evil.com', 'garbage', ''])(
    '"%s" is 403, without a word that lets a page read it',
    async (origin) => {
      const { status, headers } = await sendPing({ Origin: origin })
      expect(status).toBe(403)
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  )

  it.each(['http://localhost:6274', 'https://api.partner.example'])(
    '%s may read the answer',
    async (origin) => {
      const { status, headers } = await sendPing({ Origin: origin })
      expect(status).toBe(200)
      expect(headers['access-control-allow-origin']).toBe(origin)
      expect(headers['access-control-expose-headers']?.split(/, ?/)).toEqual(
        expect.arrayContaining(['WWW-Authenticate', 'Mcp-Session-Id', 'Retry-After'])
      )
    }
  )

  it('of ours may also read a refusal of the key', async () => {
    const { status, headers } = await gateway.send({
      headers: { ...clientHeaders('nonsense'), Origin: 'http://localhost:6274' },
      body: ping
    })
    expect([status, headers['access-control-allow-origin']]).toEqual([401, 'http://localhost:6274'])
  })

  it('ask first, without a key, and learn which headers they may send', async () => {
    const { status, headers } = await gateway.send({
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:6274',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,mcp-protocol-version'
      }
    })
    expect(status).toBe(204)
    const allowed = headers['access-control-allow-headers']?.toLowerCase().split(/, ?/)
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name'
      ])
    )
  })

  it('are not mentioned to clients that send none', async () => {
    const { headers } = await sendPing({})
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('answers', () => {
  it('carry the request id that they were asked with', async () => {
    expect((await sendPing({ 'X-Request-Id': 'mine-1' })).headers['x-request-id']).toBe('mine-1')
  })

  it('are for nobody’s cache', async () => {
    expect((await sendPing({})).headers['cache-control']).toBe('no-store')
  })
})
