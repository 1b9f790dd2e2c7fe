import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AiGatewaySettings, EmbeddedSettings, LiteLlmSettings } from '../../src/ai-gateway/variables.ts'
import { checkAiGateway } from '../../src/doctor/ai-check.ts'
import { type LiteLlm, MASTER_KEY, startLiteLlm } from '../support/ai/litellm.ts'
import { startUpstream, UPSTREAM_KEY, type Upstream } from '../support/ai/upstream.ts'
import { UNLIMITED } from './agents.ts'

describe('the doctor', () => {
  let upstream: Upstream
  let proxy: LiteLlm
  beforeAll(async () => {
    upstream = await startUpstream()
    proxy = await startLiteLlm()
  })
  afterAll(async () => {
    await upstream.close()
    await proxy.close()
  })
  const embedded = (more: Partial<EmbeddedSettings> = {}): AiGatewaySettings => ({
    kind: 'embedded',
    gatewayUrl: undefined,
    upstreamUrl: upstream.url,
    upstreamKey: UPSTREAM_KEY,
    timeoutMs: 5_000,
    answerLimit: { tokens: 100, field: 'max_tokens' },
    contextTokens: new Map(),
    prices: new Map(),
    budgets: UNLIMITED,
    ...more
  })
  const liteLlm = (more: Partial<LiteLlmSettings> = {}): AiGatewaySettings => ({
    kind: 'litellm',
    gatewayUrl: proxy.url,
    url: proxy.url,
    masterKey: MASTER_KEY,
    keyBudget: { max_budget: undefined, budget_duration: undefined },
    ...more
  })

  const findings: [string, () => AiGatewaySettings, 'ok' | 'warn' | 'fail', string][] = [
    ['an upstream that takes our key', embedded, 'ok', 'takes our key'],
    ['no upstream', () => embedded({ upstreamUrl: undefined }), 'ok', 'AI_UPSTREAM_URL is not set'],
    ['a wrong upstream key', () => embedded({ upstreamKey: 'sk-wrong' }), 'fail', '401'],
    [
      'an upstream without its /v1',
      () => embedded({ upstreamUrl: upstream.url.slice(0, -3) }),
      'fail',
      '404'
    ],
    [
      'an upstream that isn’t there',
      () => embedded({ upstreamUrl: 'http://127.0.0.1:1' }),
      'fail',
      'unreachable'
    ],
    [
      'a plain address for agents',
      () => embedded({ gatewayUrl: 'http://ai.example' }),
      'warn',
      'in the clear'
    ],
    ['a LiteLLM proxy that takes our master key', liteLlm, 'ok', 'takes our master key'],
    ['a wrong master key', () => liteLlm({ masterKey: 'sk-wrong' }), 'fail', 'doesn’t take our master key'],
    [
      'a LiteLLM proxy that isn’t there',
      () => liteLlm({ url: 'http://127.0.0.1:1' }),
      'fail',
      'can’t be reached'
    ]
  ]
  it.each(findings)('finds %s', async (_, settings, state, words) => {
    const finding = await checkAiGateway(settings())
    expect(finding).toMatchObject({ check: 'AI gateway', state, message: expect.stringContaining(words) })
    expect(finding.remedy === undefined).toBe(state === 'ok')
    expect(JSON.stringify(finding)).not.toMatch(/sk-|must-never-show/)
  })
})
