// What states and people are called.
import type { FC } from 'hono/jsx'
import { Badge, type State, StateBadge } from '../ui/values.tsx'

interface Named {
  firstName: string | null
  lastName: string | null
  email: string
}

/** The person's name, or the address where there is none. */
export const personName = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email

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

export const PROVIDER_NAMES: Readonly<Record<string, string>> = { a: 'A · Vapi', b: 'B · Retell' }

/** “1 member”, “3 members”. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Stands where there is nothing to show. */
export const Nothing: FC = () => <span class="none">–</span>
