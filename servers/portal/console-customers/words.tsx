import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { AiUsageResult } from '../../../schemas/ai-gateway.ts'
import type { Customer } from '../../../schemas/customer.ts'
import { PROVIDER_APIS, PROVIDERS, type Provider } from '../../../schemas/voice-agent.ts'
import { type Person, personName } from '../../../src/customers/name.ts'
import { pathTo } from '../settings/address.ts'
import { ConfirmButton } from '../ui/form.tsx'
import { Badge, decimal, type State, StateBadge, Time } from '../ui/values.tsx'

export const CUSTOMERS = pathTo('customers')
export const BULK = pathTo('customers', 'bulk')
export const ONBOARD = pathTo('customers', 'onboard')
export const VOICE_AGENTS = pathTo('voice-agents')

/** One customer's page, or what is below it: `customerPath(id, 'team', 'invite')`. */
export const customerPath = (customerId: string, ...below: string[]): string =>
  pathTo('customers', customerId, ...below)

export const personOrEmail = (customer: Person & { email: string }): string =>
  personName(customer) || customer.email

type Access = z.output<typeof Customer>['portalAccess']

/** `of` says what the time is of that comes with it. */
export const PORTAL_STATES: Record<Access['state'], State & { of?: string }> = {
  none: { tone: 'neutral', label: 'Not invited' },
  invited: { tone: 'warn', label: 'Invited', of: 'link lapses' },
  lapsed: { tone: 'bad', label: 'Invite lapsed', of: '' },
  active: { tone: 'good', label: 'Active', of: 'last seen' },
  blocked: { tone: 'bad', label: 'Blocked' },
  off: { tone: 'warn', label: 'Portal switched off' }
}

export const PortalState: FC<Access> = ({ state, at }) => {
  const { of, ...told } = PORTAL_STATES[state]
  return <StateBadge {...told} about={at && [of, ' ', <Time iso={at} />]} />
}

/** Takes the second step of signing in away from somebody who lost what it takes. */
export const LostPhone: FC<{ who: string; action: string }> = ({ who, action }) => (
  <ConfirmButton
    kind="plain"
    label="Lost phone"
    title={`Turn off ${who}’s second step?`}
    text="Be sure that it is them who ask. They are signed out, and sign in with their password alone."
    action={action}
    confirmLabel="Turn off"
  />
)

export const ORDER_STATES: Readonly<Record<string, string>> = { new: 'New', active: 'Active' }

export const OrderState: FC<{ status: string }> = ({ status }) => (
  <Badge tone={status === 'active' ? 'good' : 'neutral'}>{ORDER_STATES[status] ?? status}</Badge>
)

export const providerName = (provider: Provider): string => PROVIDER_APIS[provider].name

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
