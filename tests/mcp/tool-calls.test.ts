// What a call brings in and what it answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '../../src/errors.ts'
import { defineOperation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { at, type Fixture, makeFixture, uniqueEmail } from '../support/fixture.ts'
import { type GatewayServer, startGateway } from './gateway-server.ts'
import { call, errorCode, request, unfenced, unmarked } from './messages.ts'

const SECRET = 'the password of the database is hunter2'

const failing = (name: string, error: () => Error) =>
  defineOperation({
    name,
    title: name,
    summary: `Fails as ${name} does.`,
    scope: 'customers:read',
    channels: ['mcp'],
    input: z.strictObject({}),
    output: z.object({}),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    errors: [],
    async handle() {
      throw error()
    }
  })

const tools = [
  ...operations,
  failing('breaks', () => new Error(SECRET)),
  failing('limited', () => new ServiceError('rate_limited', 'Too many calls.', { retryAfterSeconds: 6.2 }))
]

describe('tools/call', () => {
  let gateway: GatewayServer
  let fixture: Fixture
  beforeAll(async () => {
    gateway = await startGateway('sqlite', { operations: tools })
    fixture = await makeFixture(gateway.service, gateway.partner.partnerId)
  })
  afterAll(() => gateway.close())

  const result = async (...message: Parameters<typeof call>) =>
    at((await gateway.post(call(...message))).json, 'result')
  const countCustomers = async () =>
    at(await result('customer_list'), 'structuredContent', 'pagination', 'totalCount')

  describe('answers', () => {
    it('come as structured content and as the same JSON in a text', async () => {
      const got = await result('customer_get', { customerId: fixture.customerId })
      expect(at(got, 'structuredContent', 'data', 'id')).toBe(fixture.customerId)
      expect(at(got, 'content', 0, 'type')).toBe('text')
      expect(JSON.parse(unfenced(String(at(got, 'content', 0, 'text'))))).toEqual(
        unmarked(at(got, 'structuredContent'))
      )
      expect(got).not.toHaveProperty('isError')
    })

    it('accept no more than the operation’s own input', async () => {
      const got = await result('customer_get', { customerId: fixture.customerId, partnerId: 'prt_other' })
      expect(at(got, '_meta', 'mindgate/error')).toMatchObject({ status: 400, field: 'partnerId' })
    })
  })

  describe('refusals', () => {
    it('say status, code, what was wrong and what to do next, in words and in parts', async () => {
      const refused = await result('customer_get', { customerId: 'cus_none' })
      expect(refused).toEqual({
        isError: true,
        content: [
          { type: 'text', text: expect.stringMatching(/^404 customer_not_found: .+ Call customer_list .+/) }
        ],
        _meta: {
          'mindgate/error': expect.objectContaining({
            status: 404,
            code: 'customer_not_found',
            message: expect.any(String)
          })
        }
      })
    })

    it('name the field that is wrong', async () => {
      const refused = await result('customer_onboard', { basic: { email: 'nobody' } })
      expect(at(refused, '_meta', 'mindgate/error')).toMatchObject({
        status: 400,
        code: 'invalid_input',
        field: 'basic.email'
      })
    })

    it('that end by themselves say when, in the body and in Retry-After', async () => {
      const { status, headers, json } = await gateway.post(call('limited'))
      expect([status, headers['retry-after']]).toEqual([200, '7'])
      expect(at(json, 'result', '_meta', 'mindgate/error')).toMatchObject({
        status: 429,
        retryAfterSeconds: 6.2
      })
    })

    it('for a fault of ours give nothing away', async () => {
      const { status, text, json } = await gateway.post(call('breaks'))
      expect(status).toBe(200)
      expect(text).not.toContain('hunter2')
      expect(at(json, 'result', 'content', 0, 'text')).toMatch(/^500 internal: /)
    })

    it('for a fault of ours log the error, once', async () => {
      await gateway.post(call('breaks'), { 'X-Request-Id': 'req-broken' })
      const lines = gateway.logs.map((line) => JSON.parse(line))
      const withError = lines.filter((line) => line.requestId === 'req-broken' && line.error)
      expect(withError).toMatchObject([{ level: 'error', operation: 'breaks', channel: 'mcp' }])
    })
  })

  it('writes one log line with the operation, the code and who called', async () => {
    await gateway.post(call('customer_get', { customerId: 'cus_none' }), { 'X-Request-Id': 'req-logged' })
    const lines = gateway.logs.map((line) => JSON.parse(line))
    expect(lines.filter(({ requestId }) => requestId === 'req-logged')).toMatchObject([
      {
        channel: 'mcp',
        operation: 'customer_get',
        code: 'customer_not_found',
        durationMs: expect.any(Number),
        partnerId: gateway.partner.partnerId,
        keyId: gateway.partner.keyId
      }
    ])
  })

  describe('arguments', () => {
    it('may be left out when nothing is required', async () => {
      const { json } = await gateway.post(request('tools/call', { name: 'customer_list' }))
      expect(at(json, 'result', 'structuredContent', 'data', 0, 'id')).toBe(fixture.customerId)
    })

    it('may come as the JSON text of an object', async () => {
      const got = await result('customer_get', JSON.stringify({ customerId: fixture.code }))
      expect(at(got, 'structuredContent', 'data', 'id')).toBe(fixture.customerId)
    })

    it('may hold objects and lists as their JSON text', async () => {
      const email = uniqueEmail()
      const onboarded = await result('customer_onboard', {
        basic: JSON.stringify({ email }),
        requirements: { languages: '["de","fr"]' }
      })
      expect(at(onboarded, 'structuredContent', 'data', 'email')).toBe(email)
      const customerId = String(at(onboarded, 'structuredContent', 'data', 'id'))
      const got = await result('customer_get', { customerId })
      expect(at(got, 'structuredContent', 'data', 'languages')).toEqual(['de', 'fr'])
    })

    it('may hold the JSON text of a list also where null is allowed', async () => {
      const { customerId } = fixture
      const updated = await result('customer_update', { customerId, languages: '["nl"]' })
      expect(at(updated, 'structuredContent', 'data', 'languages')).toEqual(['nl'])
    })

    it('keep a text a text where one is expected, whatever it looks like', async () => {
      const updated = await result('customer_update', {
        customerId: fixture.customerId,
        companyName: '{"not":"unpacked"}'
      })
      expect(at(unmarked(at(updated, 'structuredContent')), 'data', 'companyName')).toBe('{"not":"unpacked"}')
    })

    it.each([
      ['a list', ['x']],
      ['a number', 7],
      ['a text that is no JSON', 'customerId=1'],
      ['the JSON text of a list', '[]']
    ])('that are %s are a protocol error, −32602', async (_case, args) => {
      expect(errorCode((await gateway.post(call('customer_list', args))).json)).toBe(-32602)
    })

    it('can’t reach the prototype of anything', async () => {
      const { json } = await gateway.send({
        headers: { Authorization: `Bearer ${gateway.partner.key}`, 'Content-Type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"customer_list","arguments":{"__proto__":{"limit":1}}}}'
      })
      expect(at(json, 'result', 'structuredContent', 'pagination', 'limit')).toBe(20)
      expect(Object.hasOwn(Object.prototype, 'limit')).toBe(false)
    })

    it.each(['constructor', '__proto__', 'toString', ''])(
      'can’t call "%s", which is no tool',
      async (name) => {
        expect(errorCode((await gateway.post(call(name))).json)).toBe(-32602)
      }
    )
  })

  describe('an idempotency key', () => {
    const keyed = (key: unknown) => ({ 'mindgate/idempotencyKey': key })

    it('makes a repeated call answer as the first one did, and do nothing', async () => {
      const email = uniqueEmail()
      const first = await result('customer_create', { email }, keyed(`once-${email}`))
      const before = await countCustomers()
      const again = await result('customer_create', { email }, keyed(`once-${email}`))
      expect(unmarked(at(again, 'structuredContent'))).toEqual(unmarked(at(first, 'structuredContent')))
      expect(at(again, '_meta', 'mindgate/idempotentReplayed')).toBe(true)
      expect(first).not.toHaveProperty('_meta')
      expect(await countCustomers()).toBe(before)
    })

    it('refuses another call with 409', async () => {
      const key = `conflict-${uniqueEmail()}`
      await result('customer_create', { email: uniqueEmail() }, keyed(key))
      const other = await result('customer_create', { email: uniqueEmail() }, keyed(key))
      expect(at(other, '_meta', 'mindgate/error')).toMatchObject({
        status: 409,
        code: 'idempotency_conflict'
      })
    })

    it('that is no text is refused, and nothing is done', async () => {
      const before = await countCustomers()
      const refused = await result('customer_create', { email: uniqueEmail() }, keyed(7))
      expect(at(refused, '_meta', 'mindgate/error')).toMatchObject({ status: 400 })
      expect(await countCustomers()).toBe(before)
    })
  })
})
