// Token budgets of keys, customers and partners: reserved before a call, settled after it.
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reserveTokens, settleTokens } from '../../src/ai-gateway/embedded/spending.ts'
import type { AiBudgets } from '../../src/ai-gateway/variables.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { updatePartner } from '../../src/partners/store.ts'
import { openService, type Service } from '../../src/service.ts'
import { type Behaviour, startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { databases } from '../support/databases.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { startAtNoon } from '../support/noon.ts'
import { type Agent, MODELS, makeAgent, say, UNLIMITED } from './agents.ts'

/** What a call of these tests uses, as the upstream tells it. */
const USED = 18
/** Room for one call that is under way, with an answer of 100 tokens, and not for two. */
const ONE_CALL = '350'

describe.each(databases)('a token budget on %s', (kind) => {
  let upstream: Upstream
  let server: TestServer | undefined
  beforeEach(async () => {
    startAtNoon()
    upstream = await startUpstream()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await server?.close()
    await upstream.close()
  })

  const open = async (env: Partial<Record<keyof AiBudgets, string>> & { AI_TIMEOUT_MS?: string } = {}) => {
    server = await startTestServer(kind, {
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_KEY: UPSTREAM_KEY,
      AI_MAX_TOKENS: '100',
      ...env
    })
    return server.service
  }
  const ask = (agent: Agent) =>
    agent.client.chat.completions.create({ model: 'auto', messages: say('Hello') })
  const refusal = async (agent: Agent) => {
    const error: unknown = await ask(agent).catch((thrown: unknown) => thrown)
    if (error instanceof OpenAI.APIError) return error
    throw new Error('It was not refused', { cause: error })
  }
  /** Tokens by whose they are and when, such as `prt_… 2026-06`. */
  const counted = async ({ database }: Service, ownerId: string) => {
    const rows = await database.read
      .selectFrom('aiSpending')
      .where('ownerId', '=', ownerId)
      .select('tokens')
      .execute()
    return rows.map(({ tokens }) => tokens)
  }
  const settled = (service: Service, { partnerId, customerId }: Agent, tokens: number) =>
    vi.waitFor(async () => {
      for (const ownerId of [partnerId, customerId])
        expect(await counted(service, ownerId)).toEqual([tokens, tokens])
    }, 10_000)

  it.each([
    ['AI_KEY_TOKENS_PER_DAY', 'this key for this day'],
    ['AI_KEY_TOKENS_PER_MONTH', 'this key for this month'],
    ['AI_CUSTOMER_TOKENS_PER_DAY', 'this customer for this day'],
    ['AI_CUSTOMER_TOKENS_PER_MONTH', 'this customer for this month'],
    ['AI_PARTNER_TOKENS_PER_DAY', 'this partner for this day'],
    ['AI_PARTNER_TOKENS_PER_MONTH', 'this partner for this month']
  ] as const)('%s refuses in OpenAI’s shape, before the provider is asked', async (name, whose) => {
    const service = await open({ [name]: '50' })
    const agent = await makeAgent(service)
    const error = await refusal(agent)
    expect(error).toMatchObject({ status: 429, type: 'insufficient_quota', code: 'insufficient_quota' })
    expect(error.message).toContain(whose)
    const waitSeconds = Number(error.headers?.get('retry-after'))
    expect(waitSeconds).toBeGreaterThan(0)
    expect(waitSeconds).toBeLessThanOrEqual((name.endsWith('DAY') ? 1 : 31) * 86_400)
    expect(upstream.requests).toEqual([])
    for (const ownerId of [agent.partnerId, agent.customerId])
      expect(await counted(service, ownerId)).toEqual([])
  })

  it('holds the most that a call may use while it is under way, and then what it used', async () => {
    const service = await open({ AI_KEY_TOKENS_PER_DAY: ONE_CALL })
    const agent = await makeAgent(service)
    upstream.behave('waits')
    const stream = await agent.client.chat.completions.create({
      model: 'auto',
      messages: say('Hello'),
      stream: true
    })
    expect(await refusal(agent)).toMatchObject({ status: 429, code: 'insufficient_quota' })
    upstream.behave('good')
    stream.controller.abort()
    const other = await makeAgent(service)
    for (let calls = 1; calls < 5; calls += 1) {
      await ask(other)
      await settled(service, other, calls * USED)
    }
  })

  it('that is a customer’s is the same for its other keys, and outlives them and their servers', async () => {
    const service = await open({ AI_CUSTOMER_TOKENS_PER_DAY: ONE_CALL })
    const agent = await makeAgent(service)
    upstream.behave('stops-midway')
    const left = { model: 'auto', messages: say('Hello'), stream: true } as const
    const stream = await agent.client.chat.completions.create(left)
    stream.controller.abort()
    const again = await makeAgent(service, MODELS, agent)
    expect((await refusal(again)).message).toContain('this customer')
    await service.database.transaction((tx) =>
      tx.deleteFrom('instance').where('id', '=', agent.instanceId).execute()
    )
    const { partnerId, customerId } = agent
    const elsewhere = await makeAgent(service, MODELS, { partnerId, customerId })
    expect((await refusal(elsewhere)).message).toContain('this customer')
    upstream.behave('good')
    await ask(await makeAgent(service, MODELS, { partnerId }))
  })

  it('can be a partner’s own', async () => {
    const service = await open({ AI_PARTNER_TOKENS_PER_DAY: '50' })
    const agent = await makeAgent(service)
    const change = (aiBudgets: Partial<AiBudgets> | null) =>
      service.database.transaction((tx) => updatePartner(tx, agent.partnerId, { aiBudgets }))
    await change({ AI_PARTNER_TOKENS_PER_DAY: 1_000 })
    await ask(agent)
    await change({ AI_PARTNER_TOKENS_PER_DAY: 0 })
    await ask(agent)
    await change(null)
    await refusal(agent)
  })

  const ends: [Behaviour, 'nothing' | 'used' | 'reserved'][] = [
    ['rejects', 'nothing'],
    ['limits', 'nothing'],
    ['hangs-up', 'nothing'],
    ['silent', 'reserved'],
    ['not-json', 'reserved'],
    ['breaks-event', 'reserved'],
    ['cuts-off', 'reserved'],
    ['usage-on-last-choice', 'used']
  ]
  it.each(ends)('after an answer that %s counts what was %s', async (behaviour, what) => {
    const service = await open(behaviour === 'silent' ? { AI_TIMEOUT_MS: '500' } : {})
    const agent = await makeAgent(service)
    upstream.behave('waits')
    const waiting = new AbortController()
    const call = (signal?: AbortSignal) =>
      fetch(`${server?.url}/ai/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${agent.key}` },
        body: JSON.stringify({ model: 'auto', messages: say('Hello'), stream: true }),
        signal: signal ?? null
      })
    await call(waiting.signal)
    const [reserved = 0] = await counted(service, agent.partnerId)
    expect(reserved).toBeGreaterThan(USED)
    // That agent leaves, and what was reserved for it stands.
    waiting.abort()
    upstream.behave(behaviour)
    await (await call()).text()
    await settled(service, agent, reserved + { nothing: 0, used: USED, reserved }[what])
  })

  it('counts what was used where the agent leaves after the last event', async () => {
    const service = await open()
    const agent = await makeAgent(service)
    upstream.behave('lingers')
    const answer = await fetch(`${server?.url}/ai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.key}` },
      body: JSON.stringify({ model: 'auto', messages: say('Hello'), stream: true })
    })
    const text = answer.body?.pipeThrough(new TextDecoderStream())
    for await (const piece of text ?? []) if (piece.includes('[DONE]')) break
    await settled(service, agent, USED)
  })

  it('is never overdrawn by many at once, in two processes, whoever settles meanwhile', async () => {
    const service = await open()
    // On SQLite, two services of one process would wait in place for each other.
    const beside =
      kind === 'postgres' ? await openService(loadConfig(server?.env ?? {}), createLog('silent')) : service
    const [agent, other] = [await makeAgent(service), await makeAgent(service)]
    const budgets = { ...UNLIMITED, AI_PARTNER_TOKENS_PER_MONTH: 10_000, AI_CUSTOMER_TOKENS_PER_DAY: 10_000 }
    const spender = { ...agent, keyId: 'aik_1' }
    const call = async (index: number) => {
      const { database } = index % 2 === 0 ? service : beside
      const counters = await database.transaction((tx) => reserveTokens(tx, spender, budgets, 100))
      if (index % 4 === 3) await database.transaction((tx) => settleTokens(tx, counters, -50))
    }
    const calls = await Promise.allSettled(Array.from({ length: 200 }, (_, index) => call(index)))
    const passed = calls.filter(({ status }) => status === 'fulfilled').length
    expect(passed).toBeGreaterThanOrEqual(100)
    const [tokens = 0] = await counted(service, agent.partnerId)
    expect(tokens).toBeLessThanOrEqual(10_000)
    expect(tokens).toBeGreaterThanOrEqual(passed * 50)
    for (const ownerId of [agent.customerId, 'aik_1'])
      expect(await counted(service, ownerId)).toEqual([tokens, tokens])
    expect(await counted(service, other.partnerId)).toEqual([])
    if (beside !== service) await beside.close()
  })
})
