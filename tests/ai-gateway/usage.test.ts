// What agents used, as partners read it: over REST and in the console.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { enterConsole } from '../portal/console-visitor.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { databases } from '../support/databases.ts'
import { makePartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { startAtNoon } from '../support/noon.ts'
import { type Agent, MODELS, makeAgent, say } from './agents.ts'

describe.each(databases)('AI usage on %s', (kind) => {
  let upstream: Upstream
  let server: TestServer
  let agent: Agent
  let second: Agent
  beforeAll(async () => {
    startAtNoon()
    upstream = await startUpstream()
    server = await startTestServer(kind, {
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_KEY: UPSTREAM_KEY,
      AI_KEY_TOKENS_PER_MONTH: '0'
    })
    const { partnerId } = server.partner
    agent = await makeAgent(server.service, MODELS, { partnerId })
    second = await makeAgent(server.service, MODELS, { partnerId })
    for (const { client } of [agent, agent, second])
      await client.chat.completions.create({ model: 'auto', messages: say('Hello') })
    await vi.waitFor(async () => expect((await usage()).today.tokens).toBe(54), 10_000)
  })
  afterAll(async () => {
    vi.useRealTimers()
    await server.close()
    await upstream.close()
  })
  const get = (query = '', key = server.partner.key) => server.api('GET', `/ai-usage${query}`, { key })
  const usage = async (query = '') => Object((await get(query)).body.data)

  it('is told of the partner as a whole', async () => {
    const date = new Date().toISOString()
    const { today, month, servers } = await usage()
    expect(today).toEqual({ tokens: 54, budget: 100_000_000, endsAt: expect.any(String) })
    expect(month).toEqual({ tokens: 54, budget: 1_000_000_000, endsAt: expect.any(String) })
    expect(Date.parse(today.endsAt) - Date.parse(date)).toBeLessThanOrEqual(86_400_000)
    expect(month.endsAt).toMatch(/-01T00:00:00\.000Z$/)
    expect(servers).toEqual([])
  })

  it('is told of a customer, with each key that is alive', async () => {
    const { today, month, servers } = await usage(`?customerId=${agent.customerId}`)
    expect([today.tokens, today.budget]).toEqual([36, 20_000_000])
    expect([month.tokens, month.budget]).toEqual([36, 200_000_000])
    expect(servers).toMatchObject([
      {
        instanceId: agent.instanceId,
        today: { tokens: 36, budget: 10_000_000 },
        month: { tokens: 36, budget: null }
      }
    ])
    await server.service.aiKeys.revoke(second.alias)
    const left = await usage(`?customerId=${second.customerId}`)
    expect([left.today.tokens, left.servers]).toEqual([18, []])
  })

  it('is shown in the console, of all customers, of one and of its servers', async () => {
    const browser = await enterConsole(server, server.partner)
    const dashboard = await browser.get('/')
    expect(dashboard.text).toMatch(/AI tokens today\s*54 of 100,000,000/)
    expect(dashboard.text).toMatch(/AI tokens this month\s*54 of 1,000,000,000/)
    const customer = await browser.get(`/customers/${agent.customerId}`)
    expect(customer.text).toMatch(/AI tokens today\s*36 of 20,000,000/)
    expect(customer.text).toMatch(/Front desk.*36 of 10,000,000/s)
  })

  it('is nobody else’s', async () => {
    const stranger = await makePartner(server.service)
    expect((await get(`?customerId=${agent.customerId}`, stranger.key)).status).toBe(404)
    const own = Object((await get('', stranger.key)).body.data)
    expect([own.today.tokens, own.month.tokens, own.servers]).toEqual([0, 0, []])
  })
})
