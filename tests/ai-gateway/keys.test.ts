// The port of an AI gateway, on both of its adapters.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AiGatewayError } from '../../src/ai-gateway/keys.ts'
import { type LiteLlm, MASTER_KEY, startLiteLlm } from '../support/ai/litellm.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { unique } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type Agent, clientOf, MODELS, makeAgent, say } from './agents.ts'

describe.each(['embedded', 'litellm'] as const)('the AI gateway %s', (kind) => {
  let upstream: Upstream
  let proxy: LiteLlm
  let server: TestServer
  let agent: Agent
  beforeAll(async () => {
    upstream = await startUpstream()
    proxy = await startLiteLlm()
    server = await startTestServer('sqlite', {
      AI_GATEWAY: kind,
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_KEY: UPSTREAM_KEY,
      LITELLM_URL: proxy.url,
      LITELLM_MASTER_KEY: MASTER_KEY
    })
    agent = await makeAgent(server.service)
  })
  afterAll(async () => {
    await server.close()
    await upstream.close()
    await proxy.close()
  })
  const keys = () => server.service.aiKeys
  const request = (alias = unique('agent-')) => ({
    partnerId: agent.partnerId,
    instanceId: agent.instanceId,
    alias,
    models: [...MODELS]
  })

  it('tells servers an address that ends in /v1', () => {
    expect(keys().baseUrl()).toBe(kind === 'embedded' ? `${server.url}/ai/v1` : `${proxy.url}/v1`)
  })

  it('mints a key that opens the partner’s models', async () => {
    expect(agent.key).toMatch(/^sk-/)
    const { data } = await agent.client.models.list()
    const own = data.map(({ id }) => id).filter((id) => id !== 'auto')
    expect(own).toEqual([...MODELS])
    const answer = await agent.client.chat.completions.create({
      model: 'small',
      messages: say('Good morning')
    })
    expect(answer.choices[0]?.message.content).toBe('Good morning')
  })

  it('streams', async () => {
    const stream = await agent.client.chat.completions.create({
      model: 'small',
      messages: say('one two three'),
      stream: true
    })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('one two three')
  })

  it('names a default model that its keys open', async () => {
    const model = keys().defaultModel([...MODELS])
    expect(model).toBe(kind === 'embedded' ? 'auto' : 'acme/large')
    const answer = await agent.client.chat.completions.create({ model, messages: say('Hello') })
    expect(answer.model).toBe('acme/large')
  })

  it('mints keys that open no other model', async () => {
    const key = await keys().mint({ ...request(), models: ['small'] })
    const asked = clientOf(server.service, key).chat.completions.create({
      // The proxy knows what each was minted for; our own gateway what its partner has now.
      model: kind === 'embedded' ? 'acme/other' : 'acme/large',
      messages: say('Hello')
    })
    await expect(asked).rejects.toMatchObject({ status: kind === 'embedded' ? 404 : 401 })
  })

  it('refuses to mint without models, and to name a default one', async () => {
    await expect(keys().mint({ ...request(), models: [] })).rejects.toMatchObject({ fault: 'models_missing' })
    expect(() => keys().defaultModel([])).toThrow(AiGatewayError)
  })

  it('mints under an alias once', async () => {
    const twice = request()
    await keys().mint(twice)
    await expect(keys().mint(twice)).rejects.toMatchObject({ fault: 'alias_taken' })
  })

  it('closes a key at once, and leaves the others open', async () => {
    const closing = request()
    const closed = clientOf(server.service, await keys().mint(closing))
    await closed.models.list()
    await keys().revoke(closing.alias)
    await expect(closed.models.list()).rejects.toMatchObject({ status: 401 })
    await expect(agent.client.models.list()).resolves.toBeDefined()
  })

  it('takes it that an alias has no key, or none any more', async () => {
    const closing = request()
    await keys().mint(closing)
    await keys().revoke(closing.alias)
    await expect(keys().revoke(closing.alias)).resolves.toBeUndefined()
    await expect(keys().revoke(unique('never-'))).resolves.toBeUndefined()
  })

  it('stands at /ai/v1 only where it is the embedded one', async () => {
    const { status } = await fetch(`${server.url}/ai/v1/models`)
    expect(status).toBe(kind === 'embedded' ? 401 : 404)
  })
})
