import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postLines } from '../../src/billing/ledger.ts'
import { databases } from '../support/databases.ts'
import {
  at,
  makeFixture,
  makePartner,
  run,
  stringAt,
  type TestPartner,
  unique,
  uniqueEmail
} from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { nextInstant } from '../support/next-instant.ts'
import { customersOf } from './customers.ts'

describe.each(databases)('listing customers on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner

  beforeAll(async () => {
    server = await startTestServer(kind)
    partner = await makePartner(server.service)
  })
  afterAll(() => server.close())

  const { post, patch, get, create } = customersOf(
    () => server,
    () => partner
  )

  it('pages newest first with the documented defaults and limits', async () => {
    const fresh = await makePartner(server.service)
    const ids: string[] = []
    for (let n = 0; n < 23; n += 1) {
      await nextInstant()
      ids.unshift(await create({}, fresh.key))
    }
    const first = await get('/customers', fresh.key)
    expect(first.body).toMatchObject({
      pagination: {
        currentPage: 1,
        totalPages: 2,
        totalCount: 23,
        limit: 20,
        hasNextPage: true,
        hasPrevPage: false
      }
    })
    const second = await get('/customers?page=2', fresh.key)
    expect(second.body).toMatchObject({
      pagination: { currentPage: 2, hasNextPage: false, hasPrevPage: true }
    })
    const listed = [first, second].flatMap(({ body }) => {
      const page = at(body, 'data')
      return Array.isArray(page) ? page.map((item) => at(item, 'id')) : []
    })
    expect(listed).toEqual(ids)
    expect((await get('/customers?page=9', fresh.key)).body).toMatchObject({
      data: [],
      pagination: { hasNextPage: false }
    })
    expect((await get('/customers?limit=100', fresh.key)).body).toMatchObject({
      pagination: { limit: 100, totalPages: 1 }
    })
  })

  it('searches names, full name, e-mail, phone and company without case', async () => {
    const fresh = await makePartner(server.service)
    const tag = unique('Zoë')
    const id = await create(
      {
        email: `Mail.${uniqueEmail()}`,
        firstName: 'Ögmundur',
        lastName: tag,
        companyName: 'Smørrebrød & Søn',
        businessPhone: '+47 22 33'
      },
      fresh.key
    )
    await create({ firstName: 'Other' }, fresh.key)
    for (const search of [
      'ÖGMUNDUR',
      tag.toUpperCase(),
      `ögmundur ${tag}`,
      'MAIL.PERSON',
      '47 22',
      'SMØRREBRØD',
      ' & søn '
    ]) {
      const { body } = await get(`/customers?search=${encodeURIComponent(search)}`, fresh.key)
      expect(body, search).toMatchObject({ data: [{ id }], pagination: { totalCount: 1 } })
    }
  })

  it('finds by the changed name and no longer by the old one', async () => {
    const old = unique('Old')
    const id = await create({ companyName: old })
    const fresh = unique('New')
    await patch(id, { companyName: fresh })
    expect((await get(`/customers?search=${old}`)).body).toMatchObject({ data: [] })
    expect((await get(`/customers?search=${fresh}`)).body).toMatchObject({ data: [{ id }] })
  })

  it('takes %, _ and \\ in a search literally', async () => {
    const fresh = await makePartner(server.service)
    const id = await create({ companyName: '100%_\\o/' }, fresh.key)
    await create({ companyName: '100 percent' }, fresh.key)
    for (const search of ['%', '_', '\\', '0%_\\o']) {
      const { body } = await get(`/customers?search=${encodeURIComponent(search)}`, fresh.key)
      expect(body, search).toMatchObject({ data: [{ id }], pagination: { totalCount: 1 } })
    }
  })

  it('filters by volume, complexity, timeline and change', async () => {
    const fresh = await makePartner(server.service)
    const labels = { monthlyCallVolume: '0-500', callComplexity: 'low', deploymentTimeline: 'now' }
    const onboard = async (values: Partial<typeof labels>) => {
      const { monthlyCallVolume, callComplexity, deploymentTimeline } = values
      const { body } = await post(
        '/customers/onboard',
        {
          basic: { email: uniqueEmail() },
          business: { monthlyCallVolume },
          requirements: { callComplexity },
          deployment: { deploymentTimeline }
        },
        fresh.key
      )
      return stringAt(body, 'data', 'id')
    }
    const wanted = await onboard(labels)
    await onboard({})
    for (const [name, value] of Object.entries(labels)) {
      const { body } = await get(`/customers?${new URLSearchParams({ [name]: value })}`, fresh.key)
      expect(body).toMatchObject({ data: [{ id: wanted }], pagination: { totalCount: 1 } })
    }
    const later = new Date(Date.now() + 60_000).toISOString()
    expect((await get(`/customers?updatedSince=${later}`, fresh.key)).body).toMatchObject({ data: [] })
  })

  it('shows mapped agents, what is unbilled in the partner’s currency, and the credential status', async () => {
    const fresh = await makePartner(server.service)
    await run(server.service, fresh.partnerId, 'billing_settings_set', { currency: 'eur' })
    const fixture = await makeFixture(server.service, fresh.partnerId)
    await server.api('POST', `/voice-b-agents/${fixture.agentB}/map-customer`, {
      key: fresh.key,
      body: { customerId: fixture.customerId, profitMultiplier: 2 }
    })
    const { body } = await get(`/customers/${fixture.customerId}`, fresh.key)
    const own = Number(at(body, 'data', 'unbilledAmount'))
    const line = { kind: 'call', description: 'Front desk', occurredAt: '2026-01-01T00:00:00.000Z' } as const
    await server.service.database.transaction((tx) =>
      postLines(tx, { partnerId: fresh.partnerId, customerId: fixture.customerId }, [
        { ...line, amountMicros: 1_250_000, reference: 'cal_1' },
        { ...line, amountMicros: 1, reference: 'cal_2' }
      ])
    )
    expect((await get('/customers', fresh.key)).body).toMatchObject({
      data: [
        {
          hasVoiceAgentA: false,
          hasVoiceAgentB: true,
          unbilledAmount: own + 1.250001,
          currency: 'EUR',
          credentialStatus: 'active',
          isOnTrial: false
        }
      ]
    })
    expect((await get(`/customers/${fixture.customerId}`, fresh.key)).body).toMatchObject({
      data: { unbilledAmount: own + 1.250001, currency: 'EUR' }
    })
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it.each([
    'limit=101',
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=',
    'page=0',
    'page=1e3',
    'page=99999999999',
    'limit=5&limit=6'
  ])('refuses ?%s with 400 that names the parameter', async (query) => {
    const { status, body } = await get(`/customers?${query}`)
    expect([status, at(body, 'field')]).toEqual([400, query.split('=')[0]])
  })
})
