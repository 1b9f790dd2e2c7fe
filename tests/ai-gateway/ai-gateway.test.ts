// Who is let in at /ai/v1, to which models, and what goes on to the upstream.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { tablesWith } from '../memory/every-table.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { at } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type Agent, MODELS, makeAgent, say, usageOf } from './agents.ts'

describe('the AI gateway’s channel', () => {
  let upstream: Upstream
  let server: TestServer
  let agent: Agent
  beforeAll(async () => {
    upstream = await startUpstream()
    server = await startTestServer('sqlite', {
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_KEY: UPSTREAM_KEY,
      AI_CONTEXT_TOKENS: 'acme/large=400000'
    })
    agent = await makeAgent(server.service)
  })
  afterAll(async () => {
    await server.close()
    await upstream.close()
  })
  beforeEach(() => {
    upstream.requests.length = 0
  })

  const post = async (authorization: string | undefined, body: string) => {
    const answer = await fetch(`${server.url}/ai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body
    })
    const { error }: { error?: unknown } = JSON.parse(await answer.text())
    return { status: answer.status, headers: answer.headers, error }
  }
  const hello = JSON.stringify({ model: 'small', messages: say('Hello') })
  const setPartner = ({ partnerId }: Agent, changes: Parameters<typeof updatePartner>[2]) =>
    server.service.database.transaction((tx) => updatePartner(tx, partnerId, changes))

  it.each([
    ['without a key', () => undefined],
    ['with a partner’s API key', () => `Bearer ${server.partner.key}`],
    ['with a key that nobody minted', () => `Bearer sk-${'a'.repeat(43)}`],
    ['with a key that lost its end', () => `Bearer ${agent.key.slice(0, -1)}`],
    ['with the upstream’s own key', () => `Bearer ${UPSTREAM_KEY}`]
  ])('refuses a call %s in OpenAI’s shape', async (_, authorization) => {
    const { status, headers, error } = await post(authorization(), hello)
    expect(status).toBe(401)
    expect(error).toEqual({
      message: expect.stringContaining('key'),
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key'
    })
    expect(headers.get('www-authenticate')).toContain('Bearer')
    expect(upstream.requests).toEqual([])
  })

  it('keeps nothing of a key but its hash', async () => {
    const body = agent.key.slice('sk-'.length)
    for (const text of [agent.key, body, body.slice(0, 12)]) {
      expect(await tablesWith(server, text)).toEqual([])
    }
    expect(server.logs.join('')).not.toContain(body)
  })

  it('passes calls on under the upstream’s key, the model by its own name', async () => {
    await agent.client.chat.completions.create({ model: 'auto', messages: say('Hello') })
    expect(upstream.requests).toMatchObject([
      {
        path: '/v1/chat/completions',
        key: UPSTREAM_KEY,
        body: { model: 'acme/large', messages: say('Hello') }
      }
    ])
    expect(JSON.stringify(upstream.requests)).not.toContain(agent.key)
  })

  it('passes on what is about the answer, and nothing that reaches past the key', async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
    const about = { temperature: 0.5, tools, tool_choice: 'auto', max_completion_tokens: 100, stop: ['END'] }
    const past = {
      models: ['acme/forbidden'],
      fallbacks: ['acme/forbidden'],
      api_base: 'http://127.0.0.1:1',
      api_key: 'sk-mine',
      store: true,
      service_tier: 'priority'
    }
    await post(
      `Bearer ${agent.key}`,
      JSON.stringify({ model: 'small', messages: say('Hello'), ...about, ...past }).replace(
        '{',
        '{"__proto__":{"a":1},'
      )
    )
    expect(upstream.requests[0]?.body).toEqual({ model: 'small', messages: say('Hello'), ...about })
  })

  it('lists auto and the key’s models, and finds each by its name', async () => {
    const { data } = await agent.client.models.list()
    expect(data.map(({ id }) => id)).toEqual(['auto', ...MODELS])
    const lengths = data.map((model) => [model.id, at(model, 'context_length')])
    expect(lengths).toEqual([
      ['auto', 400_000],
      ['acme/large', 400_000],
      ['small', undefined]
    ])
    expect(await agent.client.models.retrieve('acme/large')).toMatchObject({
      id: 'acme/large',
      object: 'model'
    })
    await expect(agent.client.models.retrieve('acme/other')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found'
    })
  })

  it('refuses a model that the key doesn’t open', async () => {
    const asked = agent.client.chat.completions.create({ model: 'acme/other', messages: say('Hello') })
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'model_not_found', param: 'model' })
    expect(upstream.requests).toEqual([])
  })

  it('follows what models the partner has, and which is the primary one, with every key at once', async () => {
    const losing = await makeAgent(server.service)
    await setPartner(losing, { models: ['new', 'small'] })
    const { data } = await losing.client.models.list()
    expect(data.map(({ id }) => id)).toEqual(['auto', 'new', 'small'])
    for (const [model, used] of [
      ['auto', 'new'],
      ['small', 'small']
    ] as const) {
      const answer = await losing.client.chat.completions.create({ model, messages: say('Hello') })
      expect(answer.model).toBe(used)
    }
    const asked = losing.client.chat.completions.create({ model: 'acme/large', messages: say('Hello') })
    await expect(asked).rejects.toMatchObject({ status: 404 })
    await setPartner(losing, { models: [] })
    expect((await losing.client.models.list()).data).toEqual([])
    const none = losing.client.chat.completions.create({ model: 'auto', messages: say('Hello') })
    await expect(none).rejects.toMatchObject({ status: 403, code: 'models_missing' })
  })

  it('refuses the agents of an inactive partner', async () => {
    const paused = await makeAgent(server.service)
    await setPartner(paused, { isActive: false })
    await expect(paused.client.models.list()).rejects.toMatchObject({ status: 403, code: 'partner_inactive' })
    await setPartner(paused, { isActive: true })
    await expect(paused.client.models.list()).resolves.toBeDefined()
  })

  it('closes the keys of an instance that is removed', async () => {
    const removed = await makeAgent(server.service)
    await server.service.database.transaction((tx) =>
      tx.deleteFrom('instance').where('id', '=', removed.instanceId).execute()
    )
    await expect(removed.client.models.list()).rejects.toMatchObject({ status: 401 })
  })

  it.each([
    ['no JSON', 'model=small', null],
    ['no object', '[]', null],
    ['no model', JSON.stringify({ messages: say('Hello') }), 'model'],
    ['no messages', JSON.stringify({ model: 'small', messages: [] }), 'messages'],
    [
      'a stream that is no boolean',
      JSON.stringify({ model: 'small', messages: say('a'), stream: 'yes' }),
      'stream'
    ],
    ['too deep a nesting', `${'['.repeat(100)}${']'.repeat(100)}`, null]
  ])('refuses a body with %s', async (_, body, param) => {
    const { status, error } = await post(`Bearer ${agent.key}`, body)
    expect(status).toBe(400)
    expect(error).toMatchObject({ type: 'invalid_request_error', param, code: 'invalid_request' })
    expect(upstream.requests).toEqual([])
  })

  it('takes a long conversation with many tools, and refuses one beyond 4 MiB', async () => {
    const parameters = {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 2_000 }, (_, n) => [
          `field${n}`,
          { type: 'string', description: 'a field', default: '' }
        ])
      )
    }
    const messages = Array.from({ length: 3_000 }, () => say('x'.repeat(400))).flat()
    const long = {
      model: 'small',
      messages,
      tools: [{ type: 'function', function: { name: 'f', parameters } }]
    }
    expect((await post(`Bearer ${agent.key}`, JSON.stringify(long))).status).toBe(200)
    const tooLong = JSON.stringify({ model: 'small', messages: say('x'.repeat(4 * 1_048_576)) })
    expect(await post(`Bearer ${agent.key}`, tooLong)).toMatchObject({
      status: 413,
      error: { code: 'payload_too_large' }
    })
  })

  it('passes on a long conversation as it would a short one, and refuses it in the same words', async () => {
    const messages = say('Grüße '.repeat(50_000))
    const told = { messages, temperature: 0.5, stream_options: { include_usage: false } }
    await post(`Bearer ${agent.key}`, JSON.stringify({ model: 'auto', ...told, store: true }))
    expect(upstream.requests[0]?.body).toEqual({
      model: 'acme/large',
      messages,
      temperature: 0.5,
      max_completion_tokens: 16_384
    })
    const refusals: [unknown, object][] = [
      [
        { model: 'acme/other', messages },
        { status: 404, error: { code: 'model_not_found', param: 'model' } }
      ],
      [{ messages }, { status: 400, error: { code: 'invalid_request', param: 'model' } }]
    ]
    for (const [asked, refusal] of refusals)
      expect(await post(`Bearer ${agent.key}`, JSON.stringify(asked))).toMatchObject(refusal)
    expect(await post(`Bearer ${agent.key}`, JSON.stringify(told).slice(1))).toMatchObject({
      status: 400,
      error: { code: 'invalid_request', param: null }
    })
    expect(upstream.requests).toHaveLength(1)
  })

  it('says what it has where there is nothing', async () => {
    const answer = await fetch(`${server.url}/ai/v1/embeddings`, { method: 'POST' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'unknown_url' } })
  })
})

describe('the AI gateway’s channel', () => {
  it('limits how often one key may call', async () => {
    const server = await startTestServer('sqlite', { RATE_LIMIT: '2' })
    try {
      const first = await makeAgent(server.service)
      const second = await makeAgent(server.service)
      await first.client.models.list()
      await first.client.models.list()
      const error: unknown = await first.client.models.list().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' })
      const { headers } = await fetch(`${server.url}/ai/v1/models`, {
        headers: { authorization: `Bearer ${first.key}` }
      })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      await expect(second.client.models.list()).resolves.toBeDefined()
    } finally {
      await server.close()
    }
  })

  it('says that no upstream is configured', async () => {
    const server = await startTestServer('sqlite')
    try {
      const agent = await makeAgent(server.service)
      const { client } = agent
      expect((await client.models.list()).data).toHaveLength(3)
      const asked = client.chat.completions.create({ model: 'auto', messages: say('Hello') })
      await expect(asked).rejects.toMatchObject({ status: 503, code: 'not_configured', type: 'server_error' })
      expect(await usageOf(server.service, agent)).toEqual([])
    } finally {
      await server.close()
    }
  })

  it('is told to servers as AI_GATEWAY_URL says', async () => {
    const server = await startTestServer('sqlite', { AI_GATEWAY_URL: 'https://ai.example/v1' })
    expect(server.service.aiKeys.baseUrl()).toBe('https://ai.example/v1')
    await server.close()
    const behind = await startTestServer('sqlite', { PUBLIC_URL: 'https://voice.example' })
    expect(behind.service.aiKeys.baseUrl()).toBe('https://voice.example/ai/v1')
    await behind.close()
  })
})
