// What one server's agent used of models by day: over REST, in the console and at the command line.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY_MS } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { enterConsole } from '../portal/console-visitor.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { mindgate } from '../support/cli.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { startAtNoon } from '../support/noon.ts'
import { type Agent, makeAgent, say, usageOf } from './agents.ts'

/** Dollars of a million tokens; the model `small` has no price. */
const PRICE = { input: 2.5, output: 10.5 }

describe.each(databases)('the usage of an agent on %s', (kind) => {
  let upstream: Upstream
  let server: TestServer
  let agent: Agent
  /** What the calls of that model were told to have used, by the answers themselves. */
  const told: Record<string, { calls: number; inputTokens: number; outputTokens: number }> = {}
  const dayAt = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

  const ask = async ({ client }: Agent, model = 'auto') => {
    const { usage, model: answered } = await client.chat.completions.create({ model, messages: say('Hello') })
    const sums = told[answered] ?? { calls: 0, inputTokens: 0, outputTokens: 0 }
    told[answered] = {
      calls: sums.calls + 1,
      inputTokens: sums.inputTokens + (usage?.prompt_tokens ?? 0),
      outputTokens: sums.outputTokens + (usage?.completion_tokens ?? 0)
    }
  }
  const get = (query = '', key = server.partner.key, instanceId = agent.instanceId) =>
    server.api('GET', `/instances/${instanceId}/cli-agent/usage${query}`, { key })
  const usage = async (query = '') => Object((await get(query)).body.data)
  const costOf = ({ inputTokens = 0, outputTokens = 0 } = {}) =>
    (inputTokens * PRICE.input + outputTokens * PRICE.output) / 1_000_000

  beforeAll(async () => {
    startAtNoon()
    upstream = await startUpstream()
    server = await startTestServer(kind, {
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_KEY: UPSTREAM_KEY,
      AI_PRICES: `acme/large=${PRICE.input}/${PRICE.output}`
    })
    const { partnerId } = server.partner
    agent = await makeAgent(server.service, undefined, { partnerId })
    // Another key of the same server, as a later deploy makes one, after which the former one ends.
    const { customerId, instanceId } = agent
    const later = await makeAgent(server.service, undefined, { partnerId, customerId, instanceId })
    await ask(agent)
    await vi.waitFor(async () => expect(await usageOf(server.service, agent)).toHaveLength(1), 10_000)
    await server.service.database.transaction((tx) =>
      tx
        .updateTable('aiUsage')
        .set({ createdAt: `${dayAt(1)}T23:59:59.999Z` })
        .where('instanceId', '=', instanceId)
        .execute()
    )
    await server.service.aiKeys.revoke(agent.alias)
    for (const model of ['auto', 'auto', 'small']) await ask(later, model)
    upstream.behave('rejects')
    await expect(ask(later)).rejects.toMatchObject({ status: 400 })
    upstream.behave('good')
    // Its neighbour's are in none of the sums.
    const other = await makeAgent(server.service, undefined, { partnerId, customerId })
    await other.client.chat.completions.create({ model: 'auto', messages: say('Hello') })
    await vi.waitFor(async () => expect(await usageOf(server.service, agent)).toHaveLength(5), 10_000)
    await vi.waitFor(async () => expect(await usageOf(server.service, other)).toHaveLength(1), 10_000)
  })
  afterAll(async () => {
    vi.useRealTimers()
    await server.close()
    await upstream.close()
  })

  it('adds up to what the answers said, by day and model', async () => {
    const { isMetered, total, days } = await usage()
    expect([isMetered, days.length, days[0].day, days[29].day]).toEqual([true, 30, dayAt(29), dayAt(0)])
    expect(told['acme/large']?.calls).toBe(3)
    const large = told['acme/large']
    const none = { failed: 0, untold: 0 }
    const one = { calls: 1, inputTokens: 11, outputTokens: 7 }
    const ofLarge = { calls: 2, inputTokens: 22, outputTokens: 14 }
    expect(large).toEqual({ calls: 3, inputTokens: 33, outputTokens: 21 })
    const yesterday = { ...one, ...none, cost: costOf(one) }
    expect(days[28]).toEqual({ day: dayAt(1), ...yesterday, models: [{ model: 'acme/large', ...yesterday }] })
    // The refused one told no tokens; of the other model nobody knows the price.
    expect(days[29].models).toEqual([
      { model: 'acme/large', ...ofLarge, calls: 3, failed: 1, untold: 1, cost: costOf(ofLarge) },
      { model: 'small', ...told.small, ...none, cost: null }
    ])
    expect(days[29]).toMatchObject({ calls: 4, failed: 1, cost: null })
    expect(total).toEqual({
      calls: 5,
      failed: 1,
      untold: 1,
      inputTokens: (large?.inputTokens ?? 0) + (told.small?.inputTokens ?? 0),
      outputTokens: (large?.outputTokens ?? 0) + (told.small?.outputTokens ?? 0),
      cost: null
    })
    expect(days[0]).toEqual({
      day: dayAt(29),
      ...none,
      calls: 0,
      inputTokens: 0,
      outputTokens: 0,
      cost: 0,
      models: []
    })
  })

  it('is of the days that are asked for, which are at most 366', async () => {
    const { days, total } = await usage(`?from=${dayAt(2)}&to=${dayAt(1)}`)
    expect(days).toHaveLength(2)
    expect(total).toMatchObject({ calls: 1, cost: costOf({ inputTokens: 11, outputTokens: 7 }) })
    expect((await usage(`?from=${dayAt(365)}`)).days).toHaveLength(366)
    const bad = [`?from=${dayAt(366)}`, `?from=${dayAt(0)}&to=${dayAt(1)}`, '?from=today', '?from=2026-02-30']
    for (const query of bad)
      expect(await get(query)).toMatchObject({ status: 400, body: { code: 'invalid_input', field: 'from' } })
  })

  it('is nobody else’s', async () => {
    const stranger = await makePartner(server.service)
    for (const instanceId of [agent.instanceId, 'ins_none'])
      expect(await get('', stranger.key, instanceId)).toMatchObject({
        status: 404,
        body: { code: 'instance_not_found' }
      })
  })

  it('is shown on the server’s page once an agent is there', async () => {
    const browser = await enterConsole(server, server.partner)
    const page = () => browser.get(`/instances/${agent.instanceId}`)
    expect((await page()).text).not.toContain('Use of models')
    await server.service.database.transaction((tx) =>
      tx.updateTable('instance').set({ status: 'cli-agent' }).where('id', '=', agent.instanceId).execute()
    )
    const { text } = await page()
    expect(text).toMatch(
      /Calls 5 Failed 1 Tokens in 44 Tokens out 28 Calls without told tokens 1 Cost Not known/
    )
    expect(text).toContain('54 tokens in 4 calls')
  })

  it('is told at the command line', async () => {
    const { data } = (await get()).body
    const json = await mindgate(server.env, ['instance', 'usage', agent.instanceId, '--json'])
    expect(JSON.parse(json.stdout)).toEqual({ instanceId: agent.instanceId, ...Object(data) })
    const { stdout } = await mindgate(server.env, ['instance', 'usage', agent.instanceId])
    expect(stdout).toMatch(/^\S+ +acme\/large +3 +1 +22 +14 +1 +\$0\.000202$/m)
    expect(stdout).toMatch(/^All +all +5 +1 +44 +28 +1 +–$/m)
    const none = await mindgate(server.env, ['instance', 'usage', agent.instanceId, '--to', '2020-01-01'])
    expect(none.stdout).toMatch(/^All +all +0 +0 +0 +0 +0 +\$0\.00$/m)
    const misused = await mindgate(server.env, ['instance', 'usage', agent.instanceId, '--from', 'today'])
    expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('--from') })
  })

  it('is said not to be seen where agents call LiteLLM', async () => {
    const liteLlm = { AI_GATEWAY: 'litellm', LITELLM_URL: 'http://127.0.0.1:9', LITELLM_MASTER_KEY: 'sk-x' }
    const env = { ...server.env, ...liteLlm }
    const { stdout } = await mindgate(env, ['instance', 'usage', agent.instanceId])
    expect(stdout).toMatch(/^Agents call LiteLLM: its own records tell what they use\.\n/)
    const json = await mindgate(env, ['instance', 'usage', agent.instanceId, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ isMetered: false, total: { calls: 5, cost: null } })
  })

  it('goes with the server', async () => {
    await run(server.service, server.partner.partnerId, 'instance_remove', { instanceId: agent.instanceId })
    expect((await get()).status).toBe(404)
  })
})

it.each(['gpt-5', 'gpt-5=1', 'gpt-5=1/-2', 'gpt-5=1/2;gpt-5-mini=1/2', '=1/2', 'gpt-5=1e3/2'])(
  'prices that can’t be read stop the start: %s',
  (AI_PRICES) => {
    expect(() => loadConfig({ AI_PRICES })).toThrow('AI_PRICES: must be like gpt-5=1.25/10,gpt-5-mini=0.25/2')
  }
)
