import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { databases } from '../support/databases.ts'
import {
  at,
  makePartner,
  makeVoiceAgent,
  run,
  stringAt,
  type TestPartner,
  uniqueEmail
} from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

const cases = databases.flatMap((kind) => PROVIDERS.map((provider) => ({ kind, provider })))

describe.each(cases)('agents of provider $provider on $kind', ({ kind, provider }) => {
  let server: TestServer
  let partner: TestPartner
  let agentId: string

  beforeAll(async () => {
    server = await startTestServer(kind)
    partner = await makePartner(server.service)
    agentId = await makeVoiceAgent(server.service, partner.partnerId, provider)
  })
  afterAll(() => server.close())

  const newCustomer = async (): Promise<string> =>
    stringAt(
      await run(server.service, partner.partnerId, 'customer_create', { email: uniqueEmail() }),
      'data',
      'id'
    )
  const map = (id: string, body: unknown) =>
    server.api('POST', `/voice-${provider}-agents/${id}/map-customer`, { key: partner.key, body })
  const unmap = (id: string, body?: unknown) =>
    server.api('POST', `/voice-${provider}-agents/${id}/unmap-customer`, { key: partner.key, body })

  it('held by another customer are refused with the step to take', async () => {
    const holder = await newCustomer()
    await map(agentId, { customerId: holder, profitMultiplier: 1 })
    const refused = await map(agentId, { customerId: await newCustomer(), profitMultiplier: 1 })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'agent_mapped_elsewhere', error: expect.stringContaining('Unmap') }
    })
    await unmap(agentId)
  })

  it('are mapped to one of two customers that ask at once', async () => {
    const customers = await Promise.all([newCustomer(), newCustomer(), newCustomer()])
    const answers = await Promise.all(
      customers.map((customerId) => map(agentId, { customerId, profitMultiplier: 1 }))
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    await unmap(agentId)
  })

  it('of the other provider are not found', async () => {
    const other = await makeVoiceAgent(server.service, partner.partnerId, provider === 'a' ? 'b' : 'a')
    expect(await map(other, { customerId: await newCustomer(), profitMultiplier: 1 })).toMatchObject({
      status: 404,
      body: { code: 'agent_not_found' }
    })
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('are mapped with a multiplier, which makes the order active', async () => {
    const customerId = await newCustomer()
    expect(await map(agentId, { customerId, profitMultiplier: 1.35 })).toMatchObject({
      status: 200,
      body: {
        success: true,
        agent: { id: agentId, name: `Agent ${agentId}`, customer: { id: customerId }, profitMultiplier: 1.35 }
      }
    })
    const customer = await server.api('GET', `/customers/${customerId}`, { key: partner.key })
    expect(at(customer.body, 'data', 'orderStatus')).toBe('active')
    expect(await map(agentId, { customerId, profitMultiplier: 2 })).toMatchObject({
      body: { agent: { profitMultiplier: 2 } }
    })
    await unmap(agentId)
  })

  it('are unmapped, and unmapping again succeeds and says so', async () => {
    await map(agentId, { customerId: await newCustomer(), profitMultiplier: 1 })
    const first = await unmap(agentId)
    expect(first).toMatchObject({ status: 200, body: { agent: { id: agentId, customer: null } } })
    const second = await unmap(agentId)
    expect(second.status).toBe(200)
    expect(stringAt(second.body, 'message')).not.toBe(stringAt(first.body, 'message'))
  })

  it('are not unmapped when customerId names somebody else', async () => {
    const holder = await newCustomer()
    await map(agentId, { customerId: holder, profitMultiplier: 1 })
    expect(await unmap(agentId, { customerId: await newCustomer() })).toMatchObject({ status: 400 })
    expect(await unmap(agentId, { customerId: 'nobody' })).toMatchObject({ status: 404 })
    expect(await unmap(agentId, { customerId: holder })).toMatchObject({ status: 200 })
  })

  it.each([0, -1, 1000.001, 1e308, 0.0000001, 1.2345678])(
    'refuse the multiplier %d',
    async (profitMultiplier) => {
      const { status, body } = await map(agentId, { customerId: await newCustomer(), profitMultiplier })
      expect([status, at(body, 'field')]).toEqual([400, 'profitMultiplier'])
    }
  )

  it('of an unknown customer stay unmapped', async () => {
    expect(await map(agentId, { customerId: 'nobody', profitMultiplier: 1 })).toMatchObject({
      status: 404,
      body: { code: 'customer_not_found' }
    })
  })
})
