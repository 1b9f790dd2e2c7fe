// How long a key or token works, as a form asks for it.
import type { FC } from 'hono/jsx'
import { DAY_MS } from '../../../src/clock.ts'
import { Select } from '../ui/field.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { errorAt, type Tried, typed } from '../visit.ts'

const CHOICES = { '30': '30 days', '90': '90 days', '365': 'One year', never: 'No end' } as const

const DEFAULT_CHOICE = '90'

export const ExpirySelect: FC<{ tried: Tried | undefined }> = ({ tried }) => (
  <Select
    label="Works for"
    name="expiry"
    value={typed(tried, 'expiry', DEFAULT_CHOICE)}
    options={Object.entries(CHOICES).map(([choice, label]) => ({ value: choice, label }))}
    help="Until the end of that day (UTC). You can revoke it at any time before."
    error={errorAt(tried, 'expiresAt', 'Works for')}
    required
  />
)

/** The chosen end. To the day, so that a form that is sent twice asks for the same. */
export function expiryOf(choice: string): string | undefined {
  if (choice === 'never') return undefined
  const days = choice in CHOICES ? Number(choice) : Number(DEFAULT_CHOICE)
  return `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T23:59:59.999Z`
}

interface Validity {
  expiresAt: string | null
  revokedAt: string | null
}

/** Whether it still opens its door. */
export const isLive = ({ expiresAt, revokedAt }: Validity): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now())

export const ValidityBadge: FC<{ of: Validity }> = ({ of }) => {
  if (of.revokedAt !== null) return <Badge tone="neutral">Revoked</Badge>
  return isLive(of) ? <Badge tone="good">Works</Badge> : <Badge tone="warn">Expired</Badge>
}

/** When it ends: nothing ends a key that has no end. */
export const Expiry: FC<{ iso: string | null }> = ({ iso }) =>
  iso === null ? <>Never</> : <Time iso={iso} />
