// The part of the environment that says which AI gateway the agents on customers' servers talk to.
import { z } from 'zod'
import { httpUrl, optional, wholeNumber, withDefault } from '../config-values.ts'

/** fetch itself gives up after this long without a byte. */
const LONGEST_SILENCE_MS = 300_000

const MOST_TOKENS = 1_000_000_000_000

const budget = (millions: number, what: string) =>
  wholeNumber(millions * 1_000_000, MOST_TOKENS).describe(
    `Tokens that ${what} (UTC) at the embedded gateway; 0 is no limit.`
  )

const budgetVariables = {
  AI_KEY_TOKENS_PER_DAY: budget(10, 'one agent’s key may use a day'),
  AI_KEY_TOKENS_PER_MONTH: budget(100, 'one agent’s key may use a month'),
  AI_CUSTOMER_TOKENS_PER_DAY: budget(20, 'all agents of a customer may use a day'),
  AI_CUSTOMER_TOKENS_PER_MONTH: budget(200, 'all agents of a customer may use a month'),
  AI_PARTNER_TOKENS_PER_DAY: budget(100, 'all agents of a partner may use a day'),
  AI_PARTNER_TOKENS_PER_MONTH: budget(1_000, 'all agents of a partner may use a month')
}
const AiBudgets = z.object(budgetVariables)
export type AiBudgets = z.output<typeof AiBudgets>

/** A partner's own, in place of some of the variables. */
export const OwnAiBudgets = z.partialRecord(AiBudgets.keyof(), z.int().min(0).max(MOST_TOKENS))

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
  AI_MAX_TOKENS: wholeNumber(16_384, 1_000_000).describe(
    'Most tokens of one answer at the embedded gateway; a higher limit that an agent asks for is lowered to it.'
  ),
  AI_MAX_TOKENS_FIELD: withDefault(
    'max_completion_tokens',
    z.enum(['max_completion_tokens', 'max_tokens'])
  ).describe(
    'What AI_UPSTREAM_URL calls it, where an agent names no limit: max_completion_tokens or max_tokens.'
  ),
  ...budgetVariables,
  LITELLM_URL: optional(httpUrl).describe('Base URL of a LiteLLM proxy, for AI_GATEWAY=litellm.'),
  LITELLM_MASTER_KEY: optional(z.string()).describe('The LiteLLM proxy’s master key; it mints agents’ keys.'),
  LITELLM_MAX_BUDGET: optional(z.coerce.number().positive().max(1_000_000_000)).describe(
    'US dollars that each key minted at the LiteLLM proxy may spend: its max_budget.'
  ),
  LITELLM_BUDGET_DURATION: optional(
    z.string().regex(/^[1-9]\d{0,5}(s|m|h|d|w|mo)$/, 'must be like 30d')
  ).describe('When that begins anew: its budget_duration, such as 1d or 30d; without it never.')
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
  /** Most tokens of one answer, and what the upstream calls that. */
  answerLimit: { tokens: number; field: string }
  budgets: AiBudgets
}

export interface LiteLlmSettings {
  kind: 'litellm'
  gatewayUrl: string
  url: string
  masterKey: string
  /** Of each key, in the proxy's own words. */
  keyBudget: { max_budget: number | undefined; budget_duration: string | undefined }
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
      timeoutMs: Math.max(1, variables.AI_TIMEOUT_MS),
      answerLimit: { tokens: Math.max(1, variables.AI_MAX_TOKENS), field: variables.AI_MAX_TOKENS_FIELD },
      budgets: AiBudgets.parse(variables)
    }
  }
  if (!LITELLM_URL) complain('LITELLM_URL: is needed with AI_GATEWAY=litellm')
  if (!LITELLM_MASTER_KEY) complain('LITELLM_MASTER_KEY: is needed with AI_GATEWAY=litellm')
  const { LITELLM_MAX_BUDGET: max_budget, LITELLM_BUDGET_DURATION: budget_duration } = variables
  if (budget_duration && !max_budget) complain('LITELLM_MAX_BUDGET: is needed with LITELLM_BUDGET_DURATION')
  const url = withoutVersion(LITELLM_URL)
  return {
    kind: 'litellm',
    gatewayUrl: AI_GATEWAY_URL ? withoutVersion(AI_GATEWAY_URL) : url,
    url,
    masterKey: LITELLM_MASTER_KEY,
    keyBudget: { max_budget, budget_duration }
  }
}

/** `/v1` belongs to what an agent is told; whoever writes it here too means the same place. */
const withoutVersion = (url: string): string => url.replace(/\/v1$/, '')
