// What is LiteLLM's own: the words of its management API, and its faults.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AiGatewayError } from '../../src/ai-gateway/keys.ts'
import { liteLlmKeys } from '../../src/ai-gateway/litellm/keys.ts'
import type { LiteLlmSettings } from '../../src/ai-gateway/variables.ts'
import { ConfigError, loadConfig } from '../../src/config.ts'
import { type LiteLlm, MASTER_KEY, type ProxyBehaviour, startLiteLlm } from '../support/ai/litellm.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { unique } from '../support/fixture.ts'

let proxy: LiteLlm
beforeAll(async () => {
  proxy = await startLiteLlm()
})
beforeEach(() => proxy.behave('good'))
afterAll(() => proxy.close())

const settings = (more: Partial<LiteLlmSettings> = {}): LiteLlmSettings => ({
  kind: 'litellm',
  gatewayUrl: proxy.url,
  url: proxy.url,
  masterKey: MASTER_KEY,
  keyBudget: { max_budget: undefined, budget_duration: undefined },
  ...more
})
const request = () => ({
  partnerId: 'prt_1',
  instanceId: 'ins_1',
  alias: unique('agent-'),
  models: ['small']
})

/** What the failure says, the cause and its cause included. */
const wordsOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.stack} ${wordsOf(error.cause)}` : ''

async function failureOf(work: Promise<unknown>): Promise<AiGatewayError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown
  )
  if (error instanceof AiGatewayError) return error
  throw new Error('It did not fail as it should', { cause: error })
}

describe('LiteLLM’s keys', () => {
  it('carry whose they are', async () => {
    const asked = request()
    const key = await liteLlmKeys(settings()).mint(asked)
    expect(proxy.keys.get(asked.alias)).toEqual({
      key,
      models: ['small'],
      metadata: { partnerId: 'prt_1', instanceId: 'ins_1' },
      budget: {}
    })
  })

  it('carry the operator’s budget where there is one', async () => {
    const asked = request()
    const keyBudget = { max_budget: 2.5, budget_duration: '30d' }
    await liteLlmKeys(settings({ keyBudget })).mint(asked)
    expect(proxy.keys.get(asked.alias)?.budget).toEqual(keyBudget)
  })

  const faults: [ProxyBehaviour, string, string][] = [
    ['no-database', 'failed', 'DATABASE_URL'],
    ['fails', 'failed', 'status 500'],
    ['not-json', 'failed', 'status 502'],
    ['no-key', 'failed', 'without a key'],
    ['redirects', 'failed', 'status 307'],
    ['hangs-up', 'unreachable', 'can’t be reached']
  ]
  it.each(faults)('are not minted by a proxy that is %s', async (behaviour, fault, words) => {
    proxy.behave(behaviour)
    const error = await failureOf(liteLlmKeys(settings()).mint(request()))
    expect(error.fault).toBe(fault)
    expect(error.message).toContain(words)
    expect(wordsOf(error)).not.toContain(MASTER_KEY)
  })

  it('are not said to be closed when the proxy didn’t close them', async () => {
    proxy.behave('fails')
    const error = await failureOf(liteLlmKeys(settings()).revoke('agent-1'))
    expect(error.fault).toBe('failed')
  })

  it('need the proxy’s own master key', async () => {
    const error = await failureOf(liteLlmKeys(settings({ masterKey: 'sk-wrong' })).mint(request()))
    expect(error.fault).toBe('refused')
    expect(error.message).toContain('LITELLM_MASTER_KEY')
  })

  it('tell of a proxy that is not there', async () => {
    const error = await failureOf(liteLlmKeys(settings({ url: 'http://127.0.0.1:1' })).mint(request()))
    expect(error.fault).toBe('unreachable')
  })
})

describe('the configuration of an AI gateway', () => {
  let place: TestPlace
  beforeAll(async () => {
    place = await makeTestPlace('sqlite')
  })
  afterAll(() => place.remove())
  const load = (env: Record<string, string>) => loadConfig({ DATA_DIR: place.dataDir, ...env }).aiGateway

  it.each([
    ['LITELLM_URL', { LITELLM_MASTER_KEY: MASTER_KEY }],
    ['LITELLM_MASTER_KEY', { LITELLM_URL: 'http://127.0.0.1:4000' }]
  ])('is refused when %s is missing, without the other’s value', (name, given) => {
    const wrong = () => load({ AI_GATEWAY: 'litellm', ...given })
    expect(wrong).toThrow(ConfigError)
    expect(wrong).toThrow(name)
    expect(wrong).not.toThrow(MASTER_KEY)
  })

  it('takes a budget for keys, and refuses what is none', () => {
    const given = {
      AI_GATEWAY: 'litellm',
      LITELLM_MASTER_KEY: MASTER_KEY,
      LITELLM_URL: 'http://10.0.0.4:4000',
      LITELLM_BUDGET_DURATION: '30d'
    }
    expect(load({ ...given, LITELLM_MAX_BUDGET: '2.5' })).toMatchObject({
      keyBudget: { max_budget: 2.5, budget_duration: '30d' }
    })
    for (const wrong of ['', '0', '-1', 'much'])
      expect(() => load({ ...given, LITELLM_MAX_BUDGET: wrong }), wrong).toThrow('LITELLM_MAX_BUDGET')
    const late = { ...given, LITELLM_MAX_BUDGET: '1', LITELLM_BUDGET_DURATION: 'monthly' }
    expect(() => load(late)).toThrow('LITELLM_BUDGET_DURATION')
  })

  it('takes the address of servers with or without its /v1', () => {
    const given = {
      AI_GATEWAY: 'litellm',
      LITELLM_MASTER_KEY: MASTER_KEY,
      LITELLM_URL: 'http://10.0.0.4:4000/v1/'
    }
    expect(load(given)).toMatchObject({ url: 'http://10.0.0.4:4000', gatewayUrl: 'http://10.0.0.4:4000' })
    expect(load({ ...given, AI_GATEWAY_URL: 'https://ai.example/v1' })).toMatchObject({
      gatewayUrl: 'https://ai.example'
    })
    expect(load({ AI_GATEWAY_URL: 'https://ai.example/' })).toMatchObject({
      gatewayUrl: 'https://ai.example'
    })
  })
})
