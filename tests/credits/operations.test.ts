import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeFor } from '../../src/credits/payment.ts'
import { toMicros } from '../../src/money.ts'
import { callTool } from '../mcp/tool-faces.ts'
import { databases } from '../support/databases.ts'
import { at, makeKey, makePartner, type TestPartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { expectCreditsToAddUp } from './invariants.ts'
import { payingIn } from './payers.ts'

describe.each(databases)('credits over REST on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner
  beforeAll(async () => {
    server = await startTestServer(kind)
    partner = await makePartner(server.service)
  })
  afterAll(async () => {
    await expectCreditsToAddUp(server.service.database.read)
    await server.close()
  })

  const newCustomer = () => makeCustomerRow(server.service, partner.partnerId, { aiCreditsEnabled: 1 })
  const get = async (path: string) => (await server.api('GET', path, { key: partner.key })).body
  const grant = (customerId: string, body: unknown, headers: Record<string, string> = {}) =>
    server.api('POST', `/customers/${customerId}/credits`, { key: partner.key, body, headers })
  const charge = async (customerId: string, credits: number, reference: string) => {
    const { service } = server
    const customer = await service.database.read
      .selectFrom('customer')
      .where('id', '=', customerId)
      .selectAll()
      .executeTakeFirstOrThrow()
    const priced = { operation: 'memory_remember', priceMicros: toMicros(credits), reference }
    await service.database.transaction((tx) =>
      chargeFor(payingIn(service), tx, { partnerId: partner.partnerId, customer }, priced)
    )
  }

  it('start at 1,000 for a partner and at nothing for a customer', async () => {
    const { partnerId, key } = await makePartner(server.service)
    const customer = await makeCustomerRow(server.service, partnerId)
    const own = await server.api('GET', '/credits', { key })
    expect(own.body).toEqual({ success: true, data: { balance: 1_000 } })
    const entries = await server.api('GET', '/credits/entries', { key })
    expect(entries.body).toMatchObject({
      data: [{ number: 1, kind: 'initial', amount: 1_000, balanceAfter: 1_000 }],
      pagination: { totalCount: 1 }
    })
    const theirs = await server.api('GET', `/customers/${customer.id}/credits`, { key })
    expect(theirs.body).toEqual({ success: true, data: { balance: 0 } })
    const none = await server.api('GET', `/customers/${customer.id}/credits/entries`, { key })
    expect(none.body).toMatchObject({ data: [], pagination: { totalCount: 0, totalPages: 0 } })
  })

  it('are granted to a customer by its id or short code, and leave the partner’s own alone', async () => {
    const before = await get('/credits')
    const { id, code } = await newCustomer()
    expect((await grant(id, { amount: 2.5, note: 'Welcome' })).body).toEqual({
      success: true,
      message: 'The credits were granted.',
      data: { balance: 2.5 }
    })
    expect((await grant(code, { amount: 0.000001 })).body).toMatchObject({ data: { balance: 2.500001 } })
    expect(await get(`/customers/${code}/credits`)).toMatchObject({ data: { balance: 2.500001 } })
    expect(await get('/credits')).toEqual(before)
    const acts = await server.service.database.read
      .selectFrom('audit')
      .where('targetId', '=', id)
      .select(['action', 'actor', 'targetType', 'fields'])
      .execute()
    const act = {
      action: 'credits_grant',
      actor: partner.keyId,
      targetType: 'customer',
      fields: '["credits"]'
    }
    expect(acts).toEqual([act, act])
  })

  it('are explained by entries, newest first, a page at a time', async () => {
    const { id } = await newCustomer()
    await grant(id, { amount: 10, note: 'Welcome' })
    await charge(id, 1, 'mem_a')
    await charge(id, 2, 'mem_b')
    const first = await get(`/customers/${id}/credits/entries?limit=2`)
    expect(first).toMatchObject({
      data: [
        {
          number: 3,
          kind: 'charge',
          amount: -2,
          balanceAfter: 7,
          operation: 'memory_remember',
          reference: 'mem_b'
        },
        { number: 2, kind: 'charge', amount: -1, balanceAfter: 9, note: null }
      ],
      pagination: { currentPage: 1, totalPages: 2, totalCount: 3, hasNextPage: true }
    })
    const second = await get(`/customers/${id}/credits/entries?limit=2&page=2`)
    expect(second).toMatchObject({ data: [{ number: 1, kind: 'grant', amount: 10, note: 'Welcome' }] })
    expect(await get(`/customers/${id}/credits/entries?limit=2&page=3`)).toMatchObject({ data: [] })
  })

  it('are granted once for one Idempotency-Key', async () => {
    const { id } = await newCustomer()
    const key = { 'Idempotency-Key': 'grant-1' }
    const outcomes = await Promise.all([1, 2, 3].map(() => grant(id, { amount: 5 }, key)))
    expect(outcomes.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(
      true
    )
    expect((await grant(id, { amount: 5 }, key)).headers.get('idempotent-replayed')).toBe('true')
    expect(await get(`/customers/${id}/credits`)).toMatchObject({ data: { balance: 5 } })
  })

  it('all arrive when they are granted at once to a customer that had none', async () => {
    const { id } = await newCustomer()
    await Promise.all(Array.from({ length: 20 }, () => grant(id, { amount: 1 })))
    expect(await get(`/customers/${id}/credits`)).toMatchObject({ data: { balance: 20 } })
  })

  it.each([0, -1, 0.0000001, 1.2345678, 1_000_000_001, 'five', null])(
    'are not granted in an amount of %s',
    async (amount) => {
      const { id } = await newCustomer()
      const { status, body } = await grant(id, { amount })
      expect([status, at(body, 'code'), at(body, 'field')]).toEqual([400, 'invalid_input', 'amount'])
      expect(await get(`/customers/${id}/credits`)).toMatchObject({ data: { balance: 0 } })
    }
  )

  it('don’t pile up beyond what can be counted', async () => {
    const { id } = await newCustomer()
    expect((await grant(id, { amount: 1_000_000_000 })).status).toBe(200)
    const { status, body } = await grant(id, { amount: 0.000001 })
    expect([status, at(body, 'field')]).toEqual([400, 'amount'])
    expect(await get(`/customers/${id}/credits`)).toMatchObject({ data: { balance: 1_000_000_000 } })
  })

  it('of another partner’s customer are 404, and nothing is granted', async () => {
    const stranger = await makePartner(server.service)
    const foreign = await makeCustomerRow(server.service, stranger.partnerId)
    for (const reference of [foreign.id, foreign.code]) {
      for (const path of ['credits', 'credits/entries']) {
        const { status } = await server.api('GET', `/customers/${reference}/${path}`, { key: partner.key })
        expect(status).toBe(404)
      }
      expect((await grant(reference, { amount: 1 })).status).toBe(404)
    }
    const own = await server.api('GET', `/customers/${foreign.id}/credits`, { key: stranger.key })
    expect(own.body).toMatchObject({ data: { balance: 0 } })
  })

  it('can be read with credits:read, which grants nothing', async () => {
    const { id } = await newCustomer()
    const { key } = await makeKey(server.service, partner.partnerId, { scopes: ['credits:read'] })
    for (const path of ['/credits', '/credits/entries', `/customers/${id}/credits`]) {
      expect((await server.api('GET', path, { key })).status).toBe(200)
    }
    const { status, body } = await server.api('POST', `/customers/${id}/credits`, {
      key,
      body: { amount: 1 }
    })
    expect([status, at(body, 'code')]).toEqual([403, 'missing_scope'])
  })

  it('are tools of keys with their scopes, and no other partner’s', async () => {
    const { id: customerId } = await newCustomer()
    const use = (tool: string, input: Record<string, unknown>, key: string) =>
      callTool('MCP 2025-11-25', { url: server.url, gateway: 'partner', key, tool, input })
    const granted = await use('credits_grant', { customerId, amount: '7.5' }, partner.key)
    expect(at(granted.output, 'data', 'balance')).toBe(7.5)
    const read = { scopes: ['credits:read' as const] }
    const { key } = await makeKey(server.service, partner.partnerId, read)
    expect(at((await use('customer_credits_balance', { customerId }, key)).output, 'data', 'balance')).toBe(
      7.5
    )
    expect(at((await use('credits_balance', {}, key)).output, 'data', 'balance')).toEqual(expect.any(Number))
    expect((await use('credits_grant', { customerId, amount: 1 }, key)).code).toBe('missing_scope')
    const stranger = await makePartner(server.service)
    for (const tool of ['customer_credits_balance', 'credits_grant'])
      expect((await use(tool, { customerId, amount: 1 }, stranger.key)).code).toMatch(
        /customer_not_found|invalid_input/
      )
    expect(at((await use('customer_credits_balance', { customerId }, key)).output, 'data', 'balance')).toBe(
      7.5
    )
  })
})
