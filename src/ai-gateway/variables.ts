import { z } from 'zod'
import { env, httpUrl, optional, type Settled, wholeNumber, withDefault } from '../config-values.ts'

/** fetch itself gives up after this long without a byte. */
const LONGEST_SILENCE_MS = 300_000

/** `/v1` belongs to what an agent is told; whoever writes it here too means the same place. */
const unversionedUrl = httpUrl.transform((url) => url.replace(/\/v1$/, ''))

const MOST_TOKENS = 1_000_000_000_000

const budget = (millions: number, what: string) =>
  wholeNumber(millions * 1_000_000, MOST_TOKENS).describe(
    `Tokens that ${what} (UTC) at the embedded gateway; 0 is no limit.`
  )

/** Named as they are kept of a partner. */
const budgets = {
  AI_KEY_TOKENS_PER_DAY: budget(10, 'one agent’s key may use a day'),
  AI_KEY_TOKENS_PER_MONTH: budget(100, 'one agent’s key may use a month'),
  AI_CUSTOMER_TOKENS_PER_DAY: budget(20, 'all agents of a customer may use a day'),
  AI_CUSTOMER_TOKENS_PER_MONTH: budget(200, 'all agents of a customer may use a month'),
  AI_PARTNER_TOKENS_PER_DAY: budget(100, 'all agents of a partner may use a day'),
  AI_PARTNER_TOKENS_PER_MONTH: budget(1_000, 'all agents of a partner may use a month')
}
export type AiBudgets = Settled<typeof budgets>

/** A partner's own, in place of some of the variables. */
export const OwnAiBudgets = z.partialRecord(z.object(budgets).keyof(), z.int().min(0).max(MOST_TOKENS))

/** By the names of models: `gpt-5=…,gpt-5-mini=…`. */
const byModel = <Value>(form: string, example: string, read: (text: string) => Value) =>
  withDefault('', z.string().regex(new RegExp(`^(?:[^\\s=,]+=${form}(?:,|$))*$`), `must be like ${example}`))
    .transform((text) => text.split(',').filter(Boolean))
    .transform((all) => new Map(all.map((one) => [one.split('=')[0] ?? '', read(one.split('=')[1] ?? '')])))
    .meta({ fallback: '' })

const contextTokens = byModel('[1-9]\\d{3,8}', 'gpt-5=400000,gpt-5-mini=400000', Number)

const PRICE = '\\d{1,5}(?:\\.\\d{1,6})?'
const prices = byModel(`${PRICE}/${PRICE}`, 'gpt-5=1.25/10,gpt-5-mini=0.25/2', (text) =>
  text.split('/').map(Number)
)

export const aiGatewayVariables = {
  kind: env('AI_GATEWAY', withDefault('embedded', z.enum(['embedded', 'litellm']))).describe(
    'embedded or litellm: who lets agents’ keys in and passes their calls on.'
  ),
  gatewayUrl: env('AI_GATEWAY_URL', optional(unversionedUrl)).describe(
    'How customers’ servers reach the AI gateway, without /v1. Default: PUBLIC_URL/ai, with litellm LITELLM_URL.'
  ),
  embedded: {
    upstreamUrl: env('AI_UPSTREAM_URL', optional(httpUrl)).describe(
      'OpenAI-compatible base URL that the embedded gateway passes calls on to, with its /v1.'
    ),
    upstreamKey: env('AI_UPSTREAM_KEY', optional(z.string())).describe(
      'Key for AI_UPSTREAM_URL; it never leaves this service.'
    ),
    timeoutMs: env('AI_TIMEOUT_MS', wholeNumber(120_000, LONGEST_SILENCE_MS, 1)).describe(
      'Longest silence of AI_UPSTREAM_URL, in milliseconds.'
    ),
    answerLimit: {
      tokens: env('AI_MAX_TOKENS', wholeNumber(16_384, 1_000_000, 1)).describe(
        'Most tokens of one answer at the embedded gateway; a higher limit that an agent asks for is lowered to it.'
      ),
      field: env(
        'AI_MAX_TOKENS_FIELD',
        withDefault('max_completion_tokens', z.enum(['max_completion_tokens', 'max_tokens']))
      ).describe(
        'What AI_UPSTREAM_URL calls it, where an agent names no limit: max_completion_tokens or max_tokens.'
      )
    },
    contextTokens: env('AI_CONTEXT_TOKENS', contextTokens).describe(
      'What agents are told of how much a model reads, in tokens: gpt-5-mini=400000,gpt-5=400000. Without it they guess 256000.'
    ),
    prices: env('AI_PRICES', prices).describe(
      'US dollars of a million tokens that a model reads and writes: gpt-5-mini=0.25/2,gpt-5=1.25/10. Without it nobody is told a cost.'
    ),
    budgets
  },
  liteLlm: {
    url: env('LITELLM_URL', optional(unversionedUrl)).describe(
      'Base URL of a LiteLLM proxy, for AI_GATEWAY=litellm.'
    ),
    masterKey: env('LITELLM_MASTER_KEY', optional(z.string())).describe(
      'The LiteLLM proxy’s master key; it mints agents’ keys.'
    ),
    /** Of each key, in the proxy's own words. */
    keyBudget: {
      max_budget: env(
        'LITELLM_MAX_BUDGET',
        optional(z.coerce.number().positive().max(1_000_000_000))
      ).describe('US dollars that each key minted at the LiteLLM proxy may spend: its max_budget.'),
      budget_duration: env(
        'LITELLM_BUDGET_DURATION',
        optional(z.string().regex(/^[1-9]\d{0,5}(s|m|h|d|w|mo)$/, 'must be like 30d'))
      ).describe('When that begins anew: its budget_duration, such as 1d or 30d; without it never.')
    }
  }
}

type Variables = Settled<typeof aiGatewayVariables>

export type AiGatewaySettings = EmbeddedSettings | LiteLlmSettings

/** `gatewayUrl` is what servers are told, without `/v1`; `undefined` for the service's own address. */
export type EmbeddedSettings = Variables['embedded'] & { kind: 'embedded'; gatewayUrl: string | undefined }

export type LiteLlmSettings = Pick<Variables['liteLlm'], 'keyBudget'> &
  Record<'gatewayUrl' | 'url' | 'masterKey', string> & { kind: 'litellm' }

/** @param complain throws for a variable that is missing */
export function aiGatewayOf(
  { kind, gatewayUrl, embedded, liteLlm }: Variables,
  complain: (problem: string) => never
): AiGatewaySettings {
  if (kind === 'embedded') return { kind, gatewayUrl, ...embedded }
  const { url, masterKey, keyBudget } = liteLlm
  if (!url) complain('LITELLM_URL: is needed with AI_GATEWAY=litellm')
  if (!masterKey) complain('LITELLM_MASTER_KEY: is needed with AI_GATEWAY=litellm')
  if (keyBudget.budget_duration && !keyBudget.max_budget)
    complain('LITELLM_MAX_BUDGET: is needed with LITELLM_BUDGET_DURATION')
  return { kind: 'litellm', gatewayUrl: gatewayUrl || url, url, masterKey, keyBudget }
}
