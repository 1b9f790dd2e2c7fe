// The SDK judges a call once for all of its shape: what it refuses stays refused, and the answers stay its own.

import * as sdk from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { at, makeKey } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { clientHeaders } from './gateway-server.ts'
import { type MemoryFixture, makeMemoryFixture } from './memory-fixture.ts'
import { call, modern, modernHeaders } from './messages.ts'

let server: TestServer
let fixture: MemoryFixture
beforeAll(async () => {
  server = await startTestServer('sqlite', {}, { alone: 'what the SDK is asked is seen in this process' })
  fixture = await makeMemoryFixture(server.service)
})
afterAll(() => server.close())

/** What is new in each answer: the marks around what others wrote. */
const MARKS = /\b[0-9a-f]{24}\b|<\/?[b-z]{5}>/g

async function post(body: unknown, headers: Record<string, string> = {}, key = fixture.partner.key) {
  const response = await fetch(`${server.url}/api/partner-mcp`, {
    method: 'POST',
    headers: { ...clientHeaders(key), ...headers },
    body: JSON.stringify(body)
  })
  const text = (await response.text()).replaceAll(MARKS, '')
  return { status: response.status, type: response.headers.get('content-type'), text }
}

/** How often the SDK was asked to handle a call. */
const handled = vi.spyOn(sdk.Server.prototype, 'connect')

describe.each([false, true])('a call that comes again (2026-07-28: %s)', (isModern) => {
  const messageOf = (id: string | number, name: string, input?: unknown, meta?: Record<string, unknown>) => {
    const message = { ...call(name, input, meta), id }
    return isModern ? { ...modern(message), id } : message
  }
  const headersOf = (name: string) => (isModern ? modernHeaders(call(name)) : {})
  const send = (id: string | number, name: string, input?: unknown, meta?: Record<string, unknown>) =>
    post(messageOf(id, name, input, meta), headersOf(name))

  it('is answered as the SDK answers it, but for its id, and without it', async () => {
    const list = (id: string | number) => send(id, 'customer_list', { limit: 1 })
    const first = await list('one')
    handled.mockClear()
    const second = await list('two')
    const third = await list(3)
    expect(handled).not.toHaveBeenCalled()
    expect(first.text).toContain(fixture.customerId)
    const { result, ...rest } = JSON.parse(first.text)
    expect(rest).toEqual({ jsonrpc: '2.0', id: 'one' })
    for (const [again, id] of [
      [second, 'two'],
      [third, 3]
    ] as const) {
      expect({ ...again, text: JSON.parse(again.text) }).toEqual({ ...first, text: { ...rest, id, result } })
    }
  })

  it('is refused as before by the tool, for its arguments or for want of a scope', async () => {
    const wrong = { limit: 'many' }
    const refusal = await send(1, 'customer_list', wrong)
    expect(refusal.text).toContain('400 invalid_input')
    expect(await send(1, 'customer_list', wrong)).toEqual(refusal)
    const { key } = await makeKey(server.service, fixture.partner.partnerId, { scopes: ['memory:read'] })
    const other = await post(messageOf(1, 'customer_list'), headersOf('customer_list'), key)
    expect(other.text).toContain('403 missing_scope')
  })

  it('says of a replay that it is one, whatever key is sent', async () => {
    const { customerId } = fixture
    const remember = (idempotencyKey: unknown) =>
      send(
        1,
        'memory_remember',
        { customerId, content: 'Ada likes tea.' },
        { 'mindgate/idempotencyKey': idempotencyKey }
      )
    const suffix = String(isModern)
    await remember(`first-${suffix}`)
    handled.mockClear()
    const fresh = await remember(`second-${suffix}`)
    const replay = await remember(`second-${suffix}`)
    expect(handled).not.toHaveBeenCalled()
    expect(at(JSON.parse(fresh.text), 'result', '_meta', 'mindgate/idempotentReplayed')).toBeUndefined()
    expect(at(JSON.parse(replay.text), 'result', '_meta', 'mindgate/idempotentReplayed')).toBe(true)
    expect((await remember(4711)).text).toContain('must be a string')
  })

  it('is refused for what the SDK refuses, whatever came before', async () => {
    await send(1, 'customer_list')
    const refused = async (message: unknown, headers = headersOf('customer_list')) => {
      const { text } = await post(message, headers)
      expect(JSON.parse(text)).not.toHaveProperty('result')
    }
    const known = messageOf(1, 'customer_list')
    await refused({ ...known, id: 1.5 })
    await refused({ ...known, id: null })
    await refused({ ...known, jsonrpc: '1.0' })
    await refused(messageOf(1, 'customer_list', ['a list']))
    await refused(messageOf(1, 'no_such_tool'), headersOf('no_such_tool'))
    await refused(known, { ...headersOf('customer_list'), 'mcp-protocol-version': '1999-01-01' })
    if (!isModern) return
    await refused(call('customer_list'))
    await refused(known, headersOf('customer_get'))
    await refused(known, { ...headersOf('customer_list'), 'mcp-method': 'tools/list' })
  })

  it('goes by the SDK where its user may have to be asked, or where progress is to be told', async () => {
    const reset = () => send(1, 'customer_send_password_reset', { customerId: fixture.customerId })
    const listed = () => send(1, 'customer_list', {}, { progressToken: 'shown' })
    for (const act of [reset, listed]) {
      await act()
      handled.mockClear()
      await act()
      expect(handled).toHaveBeenCalledOnce()
    }
  })

  it('goes by the SDK with members that none of the calls before had', async () => {
    const known = messageOf(1, 'customer_list')
    await post(known, headersOf('customer_list'))
    handled.mockClear()
    await post({ ...known, params: { ...known.params, unheardOf: true } }, headersOf('customer_list'))
    expect(handled).toHaveBeenCalledOnce()
  })
})

it('tells of progress again after a call in a batch, where there is none to tell', async () => {
  const message = call('customer_list', {}, { progressToken: 'shown' })
  const headers = { 'mcp-protocol-version': '2025-03-26' }
  await post([message], headers)
  expect((await post(message, headers)).text).toContain('notifications/progress')
})
