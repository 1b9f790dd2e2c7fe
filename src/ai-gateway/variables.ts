// The part of the environment that says which AI gateway the agents on customers' servers talk to.
import { z } from 'zod'
import { httpUrl, optional, wholeNumber, withDefault } from '../config-values.ts'

/** fetch itself gives up after this long without a byte. */
const LONGEST_SILENCE_MS = 300_000

export const aiGatewayVariables = {
  AI_GATEWAY: withDefault('embedded', z.enum(['embedded', 'litellm'])).describe(
    'embedded or litellm: who lets agents’ keys in and passes their calls on.'
  ),
  AI_GATEWAY_URL: optional(httpUrl).describe(
    'How customers’ servers reach the AI gateway, without /v1. Default: PUBLIC_URL/ai, with litellm LITELLM_URL.'
  ),
  AI_UPSTREAM_URL: optional(httpUrl).describe(
    'OpenAI-compatible base URL that the embedded gateway passes calls on to, with its /v1.'
  ),
  AI_UPSTREAM_KEY: optional(z.string()).describe('Key for AI_UPSTREAM_URL; it never leaves this service.'),
  AI_TIMEOUT_MS: wholeNumber(120_000, LONGEST_SILENCE_MS).describe(
    'Longest silence of AI_UPSTREAM_URL, in milliseconds.'
  ),
  LITELLM_URL: optional(httpUrl).describe('Base URL of a LiteLLM proxy, for AI_GATEWAY=litellm.'),
  LITELLM_MASTER_KEY: optional(z.string()).describe('The LiteLLM proxy’s master key; it mints agents’ keys.')
}

/** Which gateway it is, with what that one needs. */
export type AiGatewaySettings = EmbeddedSettings | LiteLlmSettings

export interface EmbeddedSettings {
  kind: 'embedded'
  /** What servers are told, without `/v1`; `undefined` for the service's own address. */
  gatewayUrl: string | undefined
  upstreamUrl: string | undefined
  upstreamKey: string | undefined
  timeoutMs: number
}

export interface LiteLlmSettings {
  kind: 'litellm'
  gatewayUrl: string
  url: string
  masterKey: string
}

type Variables = z.output<z.ZodObject<typeof aiGatewayVariables>>

/**
 * The settings that the variables spell.
 *
 * @param complain throws for a variable that is missing
 */
export function aiGatewayOf(variables: Variables, complain: (problem: string) => never): AiGatewaySettings {
  const { AI_GATEWAY_URL, LITELLM_URL, LITELLM_MASTER_KEY } = variables
  if (variables.AI_GATEWAY === 'embedded') {
    return {
      kind: 'embedded',
      gatewayUrl: AI_GATEWAY_URL && withoutVersion(AI_GATEWAY_URL),
      upstreamUrl: variables.AI_UPSTREAM_URL,
      upstreamKey: variables.AI_UPSTREAM_KEY,
      timeoutMs: Math.max(1, variables.AI_TIMEOUT_MS)
    }
  }
  if (!LITELLM_URL) complain('LITELLM_URL: is needed with AI_GATEWAY=litellm')
  if (!LITELLM_MASTER_KEY) complain('LITELLM_MASTER_KEY: is needed with AI_GATEWAY=litellm')
  const url = withoutVersion(LITELLM_URL)
  return {
    kind: 'litellm',
    gatewayUrl: AI_GATEWAY_URL ? withoutVersion(AI_GATEWAY_URL) : url,
    url,
    masterKey: LITELLM_MASTER_KEY
  }
}

/** `/v1` belongs to what an agent is told; whoever writes it here too means the same place. */
const withoutVersion = (url: string): string => url.replace(/\/v1$/, '')
