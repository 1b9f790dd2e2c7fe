// Bytes for a bare socket: what no HTTP client would write, and what is only just HTTP.
import { METHODS } from 'node:http'
import fc from 'fast-check'
import { MAX_BODY_BYTES } from '../../servers/middleware/body-limit.ts'
import type { FuzzFixture } from './fixture.ts'

export interface RawRequest {
  /** One character a byte. */
  bytes: string
  /** Whether it is HTTP, odd as it may be, and asks for the connection's end: then it must be answered. */
  isHttp: boolean
}

interface Lines {
  method?: string
  target?: string
  version?: string
  headers: readonly string[]
  body?: string
}

const API = '/api/v1/mcp'

export function rawRequests({ server, keys, marker, fixtures }: FuzzFixture): fc.Arbitrary<RawRequest> {
  const host = `Host: ${new URL(server.url).host}`
  const open = [host, `Authorization: Bearer ${keys.good}`]
  const usual = [...open, 'Connection: close']
  const json = [...usual, 'Content-Type: application/json']
  const body = `{"email":"raw-${marker}@example.com","password":"${marker}"}`
  const whole = written({ method: 'POST', headers: [...json, `Content-Length: ${body.length}`], body })
  const customer = `${API}/customers/${fixtures.rest[0]?.customerId}`

  const http = (lines: fc.Arbitrary<Lines>) =>
    lines.map((made): RawRequest => ({ bytes: written(made), isHttp: true }))
  const notHttp = (lines: fc.Arbitrary<Lines>) =>
    lines.map((made): RawRequest => ({ bytes: written(made), isHttp: false }))

  return fc.oneof(
    http(
      fc
        .constantFrom(...ODD_TARGETS, `${API}/customers?api_key=${keys.good}`, `${customer}/%2e%2e/${marker}`)
        .map((target) => ({ target, headers: usual }))
    ),
    http(
      percentEncodings.map((part) => ({ target: `${API}/customers/${part}?search=${part}`, headers: usual }))
    ),
    http(fc.constantFrom(...KNOWN_METHODS).map((method) => ({ method, target: customer, headers: usual }))),
    http(fc.constantFrom(...ODD_HEADERS).map((header) => ({ headers: [...usual, header] }))),
    notHttp(fc.constantFrom(...BROKEN_HEADERS).map((header) => ({ headers: [...usual, header] }))),
    notHttp(fc.constantFrom(...BROKEN_TARGETS).map((target) => ({ target, headers: usual }))),
    notHttp(
      fc
        .constantFrom('FOO', 'get', 'GET ', '', 'PRI', 'CONNECT', 'G\u0000T')
        .map((method) => ({ method, headers: usual }))
    ),
    notHttp(
      fc
        .constantFrom('HTTP/0.9', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'http/1.1', '')
        .map((version) => ({ version, headers: usual }))
    ),
    notHttp(
      fc
        .constantFrom(...BODY_LIES)
        .map(({ header, sent }) => ({ method: 'POST', headers: [...json, header], body: sent }))
    ),
    // A right request with some of its bytes changed, left out or added, or cut off.
    mutilated(whole).map((bytes) => ({ bytes, isHttp: false })),
    // Several in a row on one connection.
    fc.constantFrom(1, 4).map((count) => ({
      bytes: written({ headers: open }).repeat(count) + written({ headers: usual }),
      isHttp: true
    })),
    fc.string({ unit: byte, maxLength: 200 }).map((bytes) => ({ bytes, isHttp: false }))
  )
}

const written = ({
  method = 'GET',
  target = `${API}/customers?limit=1`,
  version = 'HTTP/1.1',
  headers,
  body = ''
}: Lines): string =>
  `${method} ${target} ${version}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`

/** CONNECT asks for a tunnel, which is hung up on. */
const KNOWN_METHODS = METHODS.filter((method) => method !== 'CONNECT')

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))

const percentEncodings = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 255 }).map((code) => `%${code.toString(16).padStart(2, '0')}`),
      fc.constantFrom(
        '%',
        '%2',
        '%zz',
        '%u0041',
        '+',
        ';',
        ',',
        '@',
        ':',
        '..',
        '\\',
        '|',
        '"',
        '<',
        '{',
        '^',
        '`',
        '~'
      )
    ),
    {
      minLength: 1,
      maxLength: 12
    }
  )
  .map((parts) => parts.join(''))

function mutilated(text: string): fc.Arbitrary<string> {
  const cut = fc.nat({ max: text.length }).map((end) => text.slice(0, end))
  const changes = fc.array(
    fc.record({
      spot: fc.nat({ max: text.length }),
      by: fc.string({ unit: byte, maxLength: 3 }),
      dropped: fc.nat({ max: 3 })
    }),
    { minLength: 1, maxLength: 3 }
  )
  const changed = changes.map((list) =>
    list.reduce(
      (result, { spot, by, dropped }) => result.slice(0, spot) + by + result.slice(spot + dropped),
      text
    )
  )
  return fc.oneof(cut, changed)
}

const ODD_TARGETS = [
  '/',
  '//',
  '///api/v1/mcp/customers',
  '/api//v1/mcp/customers',
  '/api/v1/mcp/customers/',
  '/api/v1/mcp/./customers',
  '/api/v1/mcp/../../../etc/passwd',
  '/api/v1/mcp/%2e%2e/%2e%2e/healthz',
  '/api/v1/mcp/customers%2fonboard',
  '/API/V1/MCP/CUSTOMERS',
  '/api/v1/mcp/customers?',
  '/api/v1/mcp/customers??limit=1',
  '/api/v1/mcp/customers?limit=1#part',
  '/api/v1/mcp/customers;a=b',
  `/api/v1/mcp/customers/${'x'.repeat(9_000)}`,
  `/api/v1/mcp/customers?${'a=1&'.repeat(2_000)}`,
  `/${'a/'.repeat(4_000)}`,
  'http://evil.example/api/v1/mcp/customers',
  'http://evil.example',
  'https://u:p@evil.example:99/api/v1/mcp/customers',
  '*',
  '/api/v1/mcp/reference',
  '/api/v1/mcp/reference/%2e%2e',
  '/api/v1/mcp/openapi.json?x=1',
  '/healthz/%',
  '/readyz',
  '/constructor',
  '/__proto__',
  '/api/partner-mcp/..%2f..'
]

const BROKEN_TARGETS = [
  '',
  'customers',
  ' ',
  '/a b',
  '/\0',
  '/\x7f',
  '/\xe9\xff',
  '/\xed\xa0\x80',
  '\\',
  'http://',
  'http://[',
  'http://a b/',
  '//[',
  'data:x',
  `/${'x'.repeat(17_000)}`
]

const ODD_HEADERS = [
  'Expect: 100-continue',
  'Expect: 200-fine',
  'Upgrade: websocket',
  'Connection: Upgrade, HTTP2-Settings',
  'Connection: keep-alive, close, x-request-id',
  'Content-Length: 0',
  'Transfer-Encoding: identity',
  'X-Empty:',
  'X-Tab:\t\ta\t',
  'X-Latin: \xe9\xff',
  'X-Request-Id: given.1',
  'X-Request-Id: ',
  'X-Request-Id: a\tb',
  'X-Request-Id: one\r\nX-Request-Id: two',
  'Cookie: a=b\r\nCookie: c=d',
  'Accept: */*\r\nAccept: text/html',
  'Authorization: Bearer other',
  'Content-Type: a\r\nContent-Type: b',
  'Forwarded: for="[::1]"',
  'Keep-Alive: timeout=-1',
  '__proto__: 1',
  'constructor: 1',
  `X-Long: ${'x'.repeat(8_000)}`,
  Array.from({ length: 300 }, (_, index) => `X-${index}: 1`).join('\r\n')
]

const BROKEN_HEADERS = [
  'Host: second.example',
  'Host: a b/c',
  'X-Space : 1',
  'X-Nul: a\0b',
  ' X-Fold: 1',
  'X-Bare: a\nX-Smuggled: 1',
  'X-Cr: a\rb',
  'no colon',
  ': empty',
  'X(Y): 1',
  'X-\xe9: 1',
  `X-Long: ${'x'.repeat(17_000)}`,
  Array.from({ length: 2_500 }, (_, index) => `X${index}: 1`).join('\r\n')
]

const BODY_LIES = [
  { header: 'Content-Length: 400', sent: '{"email":"a@example.com"}' },
  { header: 'Content-Length: 5', sent: '{"email":"a@example.com"}' },
  { header: 'Content-Length: -1', sent: '{}' },
  { header: 'Content-Length: 0x2', sent: '{}' },
  { header: 'Content-Length: 2, 2', sent: '{}' },
  { header: 'Content-Length: 2\r\nContent-Length: 3', sent: '{}' },
  { header: `Content-Length: ${MAX_BODY_BYTES + 1}`, sent: '' },
  { header: 'Content-Length: 99999999999999999999', sent: '{}' },
  { header: 'Content-Length: 2\r\nTransfer-Encoding: chunked', sent: '0\r\n\r\n' },
  { header: 'Transfer-Encoding: chunked', sent: '2\r\n{}\r\n0\r\n\r\n' },
  { header: 'Transfer-Encoding: chunked', sent: '2;ext="x"\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n' },
  { header: 'Transfer-Encoding: chunked', sent: 'zz\r\n{}\r\n0\r\n\r\n' },
  { header: 'Transfer-Encoding: chunked', sent: 'ffffffffffffffff\r\n{}' },
  { header: 'Transfer-Encoding: chunked', sent: '5\r\n{}' },
  { header: 'Transfer-Encoding: chunked', sent: '2\n{}\n0\n\n' },
  { header: 'Transfer-Encoding: chunked, gzip', sent: '0\r\n\r\n' },
  { header: 'Transfer-Encoding: xchunked', sent: '{}' },
  { header: 'Expect: 100-continue\r\nContent-Length: 2', sent: '' }
]
