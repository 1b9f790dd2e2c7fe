// Usage as partners read it over REST and customers in their portal: sums of what was recorded, and nobody else's.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { type Caller, operatorFor } from '../../src/caller.ts'
import { execute } from '../../src/execute.ts'
import { exportCalls, listUnattributed, usageOperations } from '../../src/usage/operations.ts'
import { makeCall, makeCalls } from '../support/calls.ts'
import { databases } from '../support/databases.ts'
import { at, makeKey } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'

describe.each(databases)('usage on %s', (kind) => {
  let server: TestServer
  let partnerId: string
  let key: string
  let ada: string
  let grace: string
  beforeAll(async () => {
    server = await startTestServer(kind)
  })
  afterAll(() => server.close())
  beforeEach(() => become({ timeZone: 'Pacific/Kiritimati' }))

  /** A new partner with two customers. */
  const become = async (terms: Parameters<typeof makePartnerRow>[1]) => {
    partnerId = (await makePartnerRow(server.service, terms)).id
    key = (await makeKey(server.service, partnerId)).key
    ada = (await makeCustomerRow(server.service, partnerId, { companyName: 'Ada & Co' })).id
    grace = (await makeCustomerRow(server.service, partnerId)).id
  }
  const call = (given: Parameters<typeof makeCall>[2]) => makeCall(server.service, partnerId, given)
  const charged = (customerId: string, given: Parameters<typeof makeCall>[2] = {}) =>
    call({ customerId, ...given })
  const get = async (path: string) => (await server.api('GET', path, { key })).body
  const asCustomer = async (customerId: string, name: string, input: Record<string, unknown> = {}) => {
    const operation = usageOperations.find((one) => one.name === name)
    if (!operation) throw new Error(`no operation ${name}`)
    const caller: Caller = { partnerId, customerId, actor: 'idn_1', scopes: new Set(SCOPES) }
    const asked = { customerId, ...input }
    return (await execute(operation, server.service, { caller, requestId: '' }, asked)).output
  }
  const idsIn = (body: unknown) => (at(body, 'data') as { id: string }[]).map(({ id }) => id)

  const exported = async (query = '') => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${server.url}/api/v1/mcp/usage/export?${query}`, { headers })
    const lines = (await answer.text()).split('\n').filter(Boolean)
    return lines.map((line) => at(JSON.parse(line), 'id'))
  }

  it('sums each day of the partner’s time zone, to the micro-unit', async () => {
    // Midnight at Kiritimati is 10:00 UTC.
    await charged(ada, { endedAt: '2026-03-01T09:59:59.999Z', durationMs: 90_500 })
    await charged(ada, { endedAt: '2026-03-01T10:00:00.000Z', durationMs: 61_000 })
    await charged(grace, { endedAt: '2026-03-01T10:00:00.000Z', durationMs: 30_000, costMicros: 500_000 })
    await call({ endedAt: '2026-03-01T10:00:00.000Z', costMicros: 9_000_000 })
    const { data } = (await get('/usage?from=2026-03-01&to=2026-03-03')) as { data: Record<string, unknown> }
    expect(data).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-03',
      timeZone: 'Pacific/Kiritimati',
      currency: 'USD',
      total: { calls: 3, minutes: 3.03, charge: 0.980002, cost: 0.700002, margin: 0.28 },
      days: [
        { day: '2026-03-01', calls: 1, minutes: 1.51, charge: 0.140001, cost: 0.100001 },
        { day: '2026-03-02', calls: 2, minutes: 1.52, charge: 0.840001, cost: 0.600001 },
        { day: '2026-03-03', calls: 0, minutes: 0, charge: 0, cost: 0 }
      ],
      customers: [
        { id: grace, calls: 1, charge: 0.7 },
        { id: ada, name: 'Ada & Co', calls: 2, charge: 0.280002 }
      ]
    })
    expect(await get(`/usage?from=2026-03-01&to=2026-03-03&customerId=${ada}`)).toMatchObject({
      data: { total: { calls: 2, charge: 0.280002 }, days: [{ calls: 1 }, { calls: 1 }, { calls: 0 }] }
    })
  })

  it('shows the last 30 days unless told otherwise, and refuses days that are none and too many', async () => {
    await charged(ada)
    const { data } = (await get('/usage')) as { data: { days: unknown[]; total: unknown } }
    expect(data.days).toHaveLength(30)
    expect(data.days.at(-1)).toMatchObject({ calls: 1, charge: 0.140001 })
    for (const query of ['from=2026-03-02&to=2026-03-01', 'from=2024-01-01&to=2026-01-01'])
      expect(await get(`/usage?${query}`)).toMatchObject({ code: 'invalid_input', field: 'from' })
    // There are no days before the first one.
    expect(await get('/usage?to=1970-01-02')).toMatchObject({ data: { from: '1970-01-01', days: [{}, {}] } })
    expect(await get('/usage?to=2026-02-30')).toMatchObject({ code: 'invalid_input', field: 'to' })
    expect(await get('/usage?to=+99999-01-01')).toMatchObject({ code: 'invalid_input', field: 'to' })
  })

  it('tells what is owed: of one customer, and of all', async () => {
    await charged(ada)
    await charged(ada, { endedAt: '2026-03-01T10:00:00.000Z' })
    await charged(grace)
    expect(await get('/usage')).toMatchObject({ data: { openAmount: 0.420003 } })
    expect(await get(`/usage?customerId=${ada}`)).toMatchObject({ data: { openAmount: 0.280002 } })
  })

  it('shows no margin where charges are not in the currency of costs', async () => {
    await become({ currency: 'EUR' })
    await charged(ada)
    const { data } = (await get('/usage')) as { data: { total: object; customers: object[] } }
    expect(data.total).toMatchObject({ cost: 0.100001 })
    expect(data.total).not.toHaveProperty('margin')
    expect(data.customers[0]).not.toHaveProperty('margin')
  })

  it('lists a customer’s calls, newest first, with all that the partner may see', async () => {
    const first = await charged(ada, { endedAt: '2026-03-01T10:00:00.000Z' })
    const second = await charged(ada, {
      startedAt: '2026-03-01T09:59:00.000Z',
      endedAt: '2026-03-01T10:00:00.001Z',
      costMicros: null,
      recordingUrl: 'https://example.com/a.wav'
    })
    await charged(grace)
    const body = await get(`/usage/calls?customerId=${ada}`)
    expect(body).toMatchObject({
      data: [
        {
          id: second.id,
          startedAt: '2026-03-01T09:59:00.000Z',
          charge: null,
          isPending: true,
          recordingUrl: 'https://example.com/a.wav'
        },
        {
          id: first.id,
          agent: { id: `asst-${ada}`, name: `Agent asst-${ada}` },
          customerId: ada,
          startedAt: null,
          durationSeconds: 60,
          outcome: 'customer-ended-call',
          charge: 0.140001,
          currency: 'USD',
          isPending: false,
          cost: 0.100001,
          multiplier: 1.4
        }
      ],
      pagination: { totalCount: 2 }
    })
    expect(at(body, 'data', 0)).not.toHaveProperty('cost')
  })

  it('takes days and instants for a span, and pages through equal times without a gap', async () => {
    const endedAt = '2026-03-01T10:00:00.000Z'
    const same = await Promise.all([1, 2, 3, 4, 5].map(() => charged(ada, { endedAt })))
    await charged(ada, { endedAt: '2026-03-01T09:59:59.999Z' })
    await charged(ada, { endedAt: '2026-03-02T10:00:00.000Z' })
    const newest = same
      .map(({ id }) => id)
      .toSorted()
      .toReversed()
    for (const span of [
      'from=2026-03-02&to=2026-03-02',
      'from=2026-03-02T00:00:00%2B14:00&to=2026-03-02T10:00:00Z'
    ]) {
      const pages = [1, 2, 3].map((page) =>
        get(`/usage/calls?customerId=${ada}&${span}&limit=2&page=${page}`)
      )
      const bodies = await Promise.all(pages)
      expect(bodies.flatMap(idsIn)).toEqual(newest)
      expect(bodies[0]).toMatchObject({ pagination: { totalCount: 5, totalPages: 3, hasNextPage: true } })
    }
    expect(await get('/usage/calls?from=yesterday')).toMatchObject({ code: 'invalid_input', field: 'from' })
  })

  it('lists the calls of nobody, of all, and those of customers', async () => {
    const own = await charged(ada, { endedAt: '2026-03-01T00:00:00.000Z' })
    const nobodys = await call({ agentId: null, endedAt: '2026-03-02T00:00:00.000Z' })
    const other = await call({ endedAt: '2026-03-03T00:00:00.000Z', provider: 'b' })
    const all = await get('/usage/calls')
    expect(idsIn(all)).toEqual([other.id, nobodys.id, own.id])
    expect(at(all, 'data', 1)).toMatchObject({ agent: null, customerId: null, charge: null, cost: 0.100001 })
    expect(idsIn(await get('/usage/calls?isUnattributed=true'))).toEqual([other.id, nobodys.id])
    expect(idsIn(await get('/usage/calls?isUnattributed=false'))).toEqual([own.id])
  })

  it('exports every call once, the oldest first, in lines', async () => {
    const endedAt = '2026-03-01T10:00:00.000Z'
    const calls = await Promise.all(Array.from({ length: 12 }, () => charged(ada, { endedAt })))
    const first = await call({ endedAt: '2026-02-01T10:00:00.000Z' })
    const ids = calls.map(({ id }) => id).toSorted()
    expect(await exported()).toEqual([first.id, ...ids])
    expect(await exported(`customerId=${ada}&from=2026-03-01`)).toEqual(ids)
    expect(await exported(`customerId=${grace}`)).toEqual([])
  })

  it('goes on with an export where a page of equal times ended', async () => {
    const endedAt = '2026-03-01T10:00:00.000Z'
    const told = Array.from({ length: 501 }, () => ({ endedAt, customerId: ada }))
    const calls = (await makeCalls(server.service, partnerId, told)).map(({ id }) => id)
    expect(await exported()).toEqual(calls.toSorted())
  })

  it('tells the operator alone, and with the first page alone, how many calls an export has', async () => {
    const told = Array.from({ length: 501 }, () => ({ endedAt: '2026-03-01T10:00:00.000Z', customerId: ada }))
    await makeCalls(server.service, partnerId, told)
    await charged(grace)
    const operator = operatorFor(partnerId)
    const exportedTo = async (caller: Caller, input: Record<string, unknown> = {}) => {
      const asked = { customerId: ada, ...input }
      return (await execute(exportCalls, server.service, { caller, requestId: '' }, asked)).output
    }
    const first = await exportedTo(operator)
    expect([at(first, 'calls', 'length'), first.total]).toEqual([500, 501])
    const rest = await exportedTo(operator, { cursor: first.nextCursor })
    expect([at(rest, 'calls', 'length'), rest.nextCursor, rest.total]).toEqual([1, null, undefined])
    expect((await exportedTo({ ...operator, actor: 'key_1' })).total).toBeUndefined()
  })

  it('says of the agents that no customer has when there are more than are shown', async () => {
    const agentIds = Array.from({ length: 100 }, (_, index) => `asst-${index}`)
    const unattributed = async () => {
      const asked = { caller: operatorFor(partnerId), requestId: '' }
      const { output } = await execute(listUnattributed, server.service, asked, {})
      return [at(output, 'data', 'length'), output.isCutOff]
    }
    await makeCalls(
      server.service,
      partnerId,
      agentIds.slice(1).map((agentId) => ({ agentId }))
    )
    expect(await unattributed()).toEqual([99, false])
    await call({ agentId: 'asst-0' })
    expect(await unattributed()).toEqual([100, true])
  })

  it('never shows another partner’s calls, sums or amounts, nor takes its customers', async () => {
    await charged(ada)
    await call({})
    const [theirs, before] = [ada, { all: await get('/usage/calls'), sum: await get('/usage') }]
    expect(idsIn(before.all)).toHaveLength(2)
    await become({})
    expect(await get('/usage/calls')).toMatchObject({ data: [], pagination: { totalCount: 0 } })
    expect(await get('/usage/calls?isUnattributed=true')).toMatchObject({ data: [] })
    expect(await get('/usage')).toMatchObject({ data: { openAmount: 0, total: { calls: 0 }, customers: [] } })
    for (const path of ['/usage', '/usage/calls', '/usage/export'])
      expect((await server.api('GET', `${path}?customerId=${theirs}`, { key })).status).toBe(404)
    expect(await exported()).toEqual([])
  })

  it('is refused without the scope', async () => {
    const reader = await makeKey(server.service, partnerId, { scopes: ['customers:read'] })
    for (const path of ['/usage', '/usage/calls', '/usage/export'])
      expect((await server.api('GET', path, { key: reader.key })).status).toBe(403)
  })

  it('shows a customer its own calls alone, and of those neither cost, multiplier nor recording', async () => {
    await charged(grace)
    const own = await charged(ada, { recordingUrl: 'https://example.com/a.wav' })
    const list = await asCustomer(ada, 'usage_list')
    expect(idsIn(list)).toEqual([own.id])
    const text = JSON.stringify([list, await asCustomer(ada, 'usage_summary')])
    expect(text).toContain('0.140001')
    for (const secret of ['cost', 'margin', 'multiplier', 'recording', '0.100001', 'customers', grace])
      expect(text).not.toContain(secret)
    expect(await asCustomer(ada, 'usage_list', { isUnattributed: true })).toMatchObject({ data: [] })
    for (const name of usageOperations.map((operation) => operation.name)) {
      const asked = asCustomer(ada, name, { customerId: grace })
      await expect(asked).rejects.toMatchObject({
        code: expect.stringMatching(/customer_not_found|invalid_input/)
      })
    }
  })

  it('shows a customer cost and recording where the partner says so, and never the multiplier', async () => {
    await become({ showsCosts: 1, showsRecordings: 1 })
    await charged(ada, { recordingUrl: 'https://example.com/a.wav' })
    const text = JSON.stringify([await asCustomer(ada, 'usage_list'), await asCustomer(ada, 'usage_summary')])
    expect(text).toContain('"cost":0.100001')
    expect(text).toContain('https://example.com/a.wav')
    expect(text).not.toMatch(/margin|multiplier/)
  })

  it('hands out no address that is no web page, and no endless outcome', async () => {
    await charged(ada, { recordingUrl: 'javascript:alert("https://a")', outcome: '💥'.repeat(5_000) })
    await charged(grace, { recordingUrl: 'http://example.com/a.wav' })
    const body = await get(`/usage/calls?customerId=${ada}`)
    expect(at(body, 'data', 0)).not.toHaveProperty('recordingUrl')
    expect(await get(`/usage/calls?customerId=${grace}`)).toMatchObject({
      data: [{ recordingUrl: 'http://example.com/a.wav' }]
    })
    expect(String(at(body, 'data', 0, 'outcome')).length).toBeLessThan(300)
  })

  it('has nothing of a customer that is being erased', async () => {
    await charged(ada)
    const kept = await charged(grace)
    // The calls stay until a worker has deleted them.
    await server.service.database.transaction((tx) =>
      tx.deleteFrom('customer').where('id', '=', ada).execute()
    )
    expect(idsIn(await get('/usage/calls'))).toEqual([kept.id])
    expect(await get('/usage')).toMatchObject({ data: { total: { calls: 1 }, customers: [{ id: grace }] } })
  })
})
