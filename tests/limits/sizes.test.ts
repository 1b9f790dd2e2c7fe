// How large a request may be: its JSON by depth and number of values, its headers, its URL. What is too large is refused
// in little time and memory.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, parseShaped } from '../../src/json-shape.ts'
import { call, request } from '../mcp/messages.ts'
import { at } from '../support/fixture.ts'
import { processorTime } from '../support/processor-time.ts'
import { exchangeRaw } from '../support/raw-socket.ts'
import { type LimitedPlace, openLimited } from './limited-server.ts'

const MEBIBYTE = 1_048_576

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const listOf = (values: number) => `[${Array(values).fill('1').join(',')}]`

/** Of almost a mebibyte each, and all of them too much. */
const BOMBS: [name: string, json: string][] = [
  ['lists in lists', nested(MEBIBYTE / 2 - 100)],
  ['lists that never end', '['.repeat(MEBIBYTE - 100)],
  ['objects in objects', '{"a":'.repeat(150_000)],
  ['a long list', listOf(MEBIBYTE / 2 - 100)],
  ['empty objects', `[${Array(300_000).fill('{}').join(',')}]`],
  ['many keys', `{${Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
  ['separators alone', ','.repeat(MEBIBYTE - 100)]
]

let server: LimitedPlace
beforeAll(async () => {
  server = await openLimited('sqlite', { quota: 0 })
})
afterAll(() => server.close())

const authorized = () => ({ Authorization: `Bearer ${server.partner.key}` })
const postCustomer = async (body: string) => {
  const answer = await fetch(`${server.url}/api/v1/mcp/customers`, {
    method: 'POST',
    headers: { ...authorized(), 'Content-Type': 'application/json' },
    body
  })
  const json: unknown = await answer.json()
  return { status: answer.status, body: json }
}
const postMessage = async (body: string) => {
  const answer = await fetch(`${server.url}/api/partner-mcp`, {
    method: 'POST',
    headers: { ...authorized(), 'Content-Type': 'application/json', Accept: 'application/json' },
    body
  })
  const json: unknown = await answer.json()
  return { status: answer.status, body: json }
}

describe('JSON', () => {
  it('may be as deep and hold as much as the limits say, and no more', () => {
    expect(parseShaped(nested(MAX_JSON_DEPTH))).toBeInstanceOf(Array)
    expect(() => parseShaped(nested(MAX_JSON_DEPTH + 1))).toThrow('nested deeper than 32 levels')
    expect(parseShaped(listOf(MAX_JSON_VALUES - 2))).toHaveLength(MAX_JSON_VALUES - 2)
    expect(() => parseShaped(listOf(MAX_JSON_VALUES))).toThrow('more than 10000 values')
  })

  it('may have anything in its texts', () => {
    for (const text of [
      '['.repeat(1000),
      ',{'.repeat(20_000),
      '"'.repeat(100),
      '\\'.repeat(101),
      `\\"${'['.repeat(100)}`,
      `"\\\\"${'{'.repeat(100)}`,
      `${'\\'.repeat(7)}"${'['.repeat(100)}`
    ]) {
      const json = JSON.stringify({ [text]: [text, text] })
      expect(parseShaped(json)).toEqual({ [text]: [text, text] })
    }
  })

  it('is judged outside of its texts, whatever they look like', () => {
    const deep = nested(MAX_JSON_DEPTH)
    for (const text of ['\\', '\\\\', '"', '\\"', 'a"b\\'])
      expect(() => parseShaped(`[${JSON.stringify(text)},${deep}]`)).toThrow('nested deeper')
  })

  it.each(['', '"', '"\\', '"\\"', '[', '{"a', ']', '"a" "b'])(
    'that is none is refused as such: %s',
    (json) => {
      expect(() => parseShaped(json)).toThrow(SyntaxError)
    }
  )
})

describe.each(BOMBS)('%s', (_name, bomb) => {
  it('are refused over REST with 400, naming the body, at once', async () => {
    const worked = processorTime()
    const { status, body } = await postCustomer(bomb)
    expect([status, at(body, 'code'), at(body, 'field')]).toEqual([400, 'invalid_input', 'body'])
    expect(worked()).toBeLessThan(2_000)
  })

  it('are refused over MCP with 400 and −32600', async () => {
    const { status, body } = await postMessage(bomb)
    expect([status, at(body, 'error', 'code'), at(body, 'id')]).toEqual([400, -32600, null])
  })

  it('cost no more than a look at the text', () => {
    const worked = processorTime()
    for (let i = 0; i < 10; i += 1) expect(() => parseShaped(bomb)).toThrow()
    expect(worked() / 10).toBeLessThan(50)
  })
})

describe('a flood of bombs', () => {
  it('leaves no memory behind', async () => {
    const flood = async () => {
      for (const [, bomb] of BOMBS) await Promise.all([1, 2, 3].map(() => postCustomer(bomb)))
    }
    await flood()
    const before = memoryInUse()
    for (let i = 0; i < 5; i += 1) await flood()
    // A hundred bodies of a mebibyte each went by. What is merely late to be collected goes; what is held stays.
    await vi.waitUntil(() => memoryInUse() - before < 20 * MEBIBYTE, { timeout: 20_000, interval: 200 })
  })
})

/** What is still in use once everything that isn't has been collected. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('a tool’s arguments sent as their text', () => {
  it('are held to the same shape', async () => {
    const message = JSON.stringify(call('customer_onboard', { basic: nested(5_000) }))
    const { status, body } = await postMessage(message)
    expect(status).toBe(200)
    expect(at(body, 'result', 'content', 0, 'text')).toMatch(/^400 invalid_input: basic must be an object/)
  })
})

describe('deep JSON-RPC', () => {
  it('is refused in params and in meta alike', async () => {
    for (const params of [`{"a":${nested(100)}}`, `{"_meta":{"x":${nested(100)}}}`]) {
      const { status } = await postMessage(JSON.stringify(request('ping')).replace('{}', params))
      expect(status).toBe(400)
    }
  })
})

describe('a request’s head', () => {
  const head = (...lines: string[]) => [...lines, 'Connection: close', '', ''].join('\r\n')
  const get = (path: string, ...headers: string[]) =>
    exchangeRaw(server.url, head(`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers))
  const numbered = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: 1`)

  it('may hold a hundred headers', async () => {
    // Host and Connection are two of them.
    expect(await get('/healthz', ...numbered(98))).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('is refused with 431 from there on', async () => {
    const answer = await get('/healthz', ...numbered(99))
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain('"code":"invalid_input"')
  })

  it('counts headers of one name one by one', async () => {
    expect(await get('/healthz', ...Array<string>(200).fill('X-Same: 1'))).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('is refused with 431 when it is longer than 16 KiB', async () => {
    expect(await get('/healthz', `X-Long: ${'x'.repeat(17_000)}`)).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('is refused with 414 when its URL is longer than 8 KiB', async () => {
    expect(await get(`/healthz?${'x'.repeat(8_000)}`)).toMatch(/^HTTP\/1\.1 200 /)
    const answer = await get(`/healthz?${'x'.repeat(8_200)}`)
    expect(answer).toMatch(/^HTTP\/1\.1 414 /)
    expect(answer).toContain('"success":false')
  })
})

describe('a query', () => {
  it('with more parameters than any operation takes is refused at once', async () => {
    const query = Array.from({ length: 1_500 }, (_, i) => `p${i}`).join('&')
    const answer = await fetch(`${server.url}/api/v1/mcp/customers?${query}`, { headers: authorized() })
    expect([answer.status, at(await answer.json(), 'error')]).toEqual([
      400,
      'The query has more than 200 parameters.'
    ])
  })
})
