// A call that asks for progress is answered as a stream; the result ends it.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { mcpGateway } from '../../servers/mcp/gateway.ts'
import { authenticate } from '../../servers/middleware/authentication.ts'
import { toolsOf } from '../../servers/tools/tool.ts'
import { defineOperation } from '../../src/operation.ts'
import { at } from '../support/fixture.ts'
import { clientHeaders, type GatewayServer, startGateway } from './gateway-server.ts'
import { call, modern, modernHeaders, request } from './messages.ts'

/** Calls that are held until the test lets them go. */
const held: { letGo(): void; isDone: Promise<void> }[] = []

const slow = defineOperation({
  name: 'slow',
  title: 'Slow',
  summary: 'Ends when it is let go.',
  scope: 'customers:read',
  channels: ['mcp'],
  input: z.strictObject({}),
  output: z.object({ done: z.boolean() }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async handle() {
    let finished = () => {}
    const isDone = new Promise<void>((resolve) => {
      finished = resolve
    })
    await new Promise<void>((letGo) => held.push({ letGo, isDone }))
    finished()
    return { done: true }
  }
})

let gateway: GatewayServer
beforeAll(async () => {
  gateway = await startGateway('sqlite', { operations: [slow] })
})
afterAll(() => gateway.close())

const message = call('slow', {}, { progressToken: 'token-1' })

/** The events of an answer, one by one as they arrive. */
async function* events(answer: Response): AsyncGenerator<unknown> {
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    const whole = text.split('\n\n')
    text = whole.pop() ?? ''
    for (const event of whole) yield JSON.parse(event.replace(/^event: message\ndata: /, ''))
  }
}

const post = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(gateway.url, {
    method: 'POST',
    headers: { ...clientHeaders(gateway.partner.key), ...headers },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {})
  })

async function nextHeld() {
  return vi.waitFor(() => {
    const call = held.shift()
    if (!call) throw new Error('No call is held yet')
    return call
  })
}

it.each([
  ['the older era', message, {}],
  ['2026-07-28', modern(message), modernHeaders(message)]
])('tells of progress before the result is there, in %s', async (_era, body, headers) => {
  const answer = await post(body, headers)
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(answer.headers.get('x-accel-buffering')).toBe('no')
  const stream = events(answer)
  expect((await stream.next()).value).toMatchObject({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 'token-1', progress: 0 }
  })
  const call = await nextHeld()
  call.letGo()
  const rest: unknown[] = []
  for await (const event of stream) rest.push(event)
  expect(rest.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { done: true } } })
  expect(rest.slice(0, -1).every((event) => at(event, 'method') === 'notifications/progress')).toBe(true)
})

it('logs a streamed call when it is over', async () => {
  const answer = await post(message, { 'X-Request-Id': 'req-streamed' })
  const call = await nextHeld()
  call.letGo()
  await answer.text()
  const lines = gateway.logs.map((line) => JSON.parse(line))
  expect(
    lines.filter(({ requestId, msg }) => requestId === 'req-streamed' && msg === 'tool called')
  ).toMatchObject([{ operation: 'slow', status: 200, keyId: gateway.partner.keyId }])
})

it('finishes a call whose client hangs up, and goes on serving', async () => {
  const hangUp = new AbortController()
  const answer = await post(message, {}, hangUp.signal)
  const stream = events(answer)
  await stream.next()
  const call = await nextHeld()
  hangUp.abort()
  await expect(stream.next()).rejects.toThrow()
  call.letGo()
  await call.isDone
  expect((await post(request('ping'))).status).toBe(200)
})

it.each([
  ['without a progress token', call('slow'), {}],
  ['by a client that reads no streams', message, { Accept: 'application/json' }]
])('answers a call %s with plain JSON', async (_case, body, headers) => {
  const pending = post(body, headers)
  const call = await nextHeld()
  call.letGo()
  const answer = await pending
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toMatchObject({ result: { structuredContent: { done: true } } })
})

it('tells of progress again and again, always of more, until the result is there', async () => {
  const often = await startGateway('sqlite', {
    mount: (service) =>
      mcpGateway(service, {
        name: 'partner',
        serverInfo: { name: 'mindgate', version: '1.0.0' },
        instructions: ['One slow tool.'],
        credential: { name: 'an API key', example: 'pkt_…' },
        tools: toolsOf([slow]),
        progressIntervalMs: 1,
        authenticate: (headers) => authenticate(service, 'partner', headers)
      })
  })
  const answer = await fetch(often.url, {
    method: 'POST',
    headers: clientHeaders(often.partner.key),
    body: JSON.stringify(message)
  })
  const call = await nextHeld()
  const seen: unknown[] = []
  for await (const event of events(answer)) {
    seen.push(at(event, 'params', 'progress') ?? event)
    if (seen.length === 4) call.letGo()
  }
  await often.close()
  const amounts = seen.slice(0, -1).map(Number)
  expect(seen.at(-1)).toMatchObject({ result: { structuredContent: { done: true } } })
  expect(amounts.length).toBeGreaterThanOrEqual(4)
  expect(amounts).toEqual([...new Set(amounts)].sort((a, b) => a - b))
})
