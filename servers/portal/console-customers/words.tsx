import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { AiUsageResult } from '../../../schemas/ai-gateway.ts'
import { PROVIDER_APIS, PROVIDERS, type Provider } from '../../../schemas/voice-agent.ts'
import { type Person, personName } from '../../../src/customers/name.ts'
import { pathTo } from '../settings/address.ts'
import { Badge, decimal, type State, StateBadge } from '../ui/values.tsx'

export const CUSTOMERS = pathTo('customers')
export const ONBOARD = pathTo('customers', 'onboard')
export const VOICE_AGENTS = pathTo('voice-agents')

/** One customer's page, or what is below it: `customerPath(id, 'team', 'invite')`. */
export const customerPath = (customerId: string, ...below: string[]): string =>
  pathTo('customers', customerId, ...below)

export const personOrEmail = (customer: Person & { email: string }): string =>
  personName(customer) || customer.email

export const PORTAL_STATES: Readonly<Record<string, State>> = {
  none: { tone: 'neutral', label: 'Not invited' },
  active: { tone: 'good', label: 'Portal open' },
  suspended: { tone: 'bad', label: 'Blocked' }
}

export const PortalState: FC<{ status: string }> = ({ status }) => (
  <StateBadge {...(PORTAL_STATES[status] ?? { tone: 'neutral', label: status })} />
)

export const ORDER_STATES: Readonly<Record<string, string>> = { new: 'New', active: 'Active' }

export const OrderState: FC<{ status: string }> = ({ status }) => (
  <Badge tone={status === 'active' ? 'good' : 'neutral'}>{ORDER_STATES[status] ?? status}</Badge>
)

export const providerName = (provider: Provider): string =>
  `${provider.toUpperCase()} · ${PROVIDER_APIS[provider].name}`

export const PROVIDER_CHOICES = PROVIDERS.map((value) => ({ value, label: providerName(value) }))

export const flagOf = (text: 'true' | 'false' | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true'

export type AiUsage = z.output<typeof AiUsageResult>['data']

export const aiUsageItems = ({ today, month }: AiUsage) => [
  { term: 'AI tokens today', value: usedTokens(today) },
  { term: 'AI tokens this month', value: usedTokens(month) }
]

/** `1,234 of 5,000,000`. */
export const usedTokens = ({ tokens, budget }: AiUsage['today']): string =>
  budget === null ? decimal(tokens) : `${decimal(tokens)} of ${decimal(budget)}`
