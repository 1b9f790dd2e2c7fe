// What somebody should look at, the most pressing first; each says where to go.
import type { Child, FC } from 'hono/jsx'
import type { z } from 'zod'
import type { Dashboard } from '../../../schemas/dashboard.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { CONSOLE_BASE } from '../frames.tsx'
import { withQuery } from '../settings/address.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { Table } from '../ui/table.tsx'
import { Credits } from '../ui/time.tsx'
import { CUSTOMERS, customerPath } from './paths.ts'
import { counted } from './words.tsx'

type Shown = z.output<typeof Dashboard>['data']

interface Matter {
  key: string
  tone: Tone
  label: string
  text: Child
  href?: string
}

export const AttentionList: FC<{ data: Shown }> = ({ data }) => (
  <Table
    caption="What needs attention"
    columns={[{ title: 'Matter' }, { title: 'Kind', hidden: true }]}
    rows={mattersOf(data).map(({ key, tone, label, text, href }) => ({
      key,
      href,
      cells: [text, <Badge tone={tone}>{label}</Badge>]
    }))}
    empty={
      <EmptyState title="All is well">
        <p>
          Mails that couldn’t be sent, low credits and customers without portal access would be listed here.
        </p>
      </EmptyState>
    }
  />
)

function mattersOf({ credits, customers, failedMails, lowOnCredits }: Shown): Matter[] {
  return [
    ...ownCredits(credits),
    ...(failedMails > 0
      ? [
          {
            key: 'mails',
            tone: 'bad' as const,
            label: 'Not sent',
            text: `${counted(failedMails, 'mail')} couldn’t be sent this week`,
            href: withQuery(`${CONSOLE_BASE}/mail`, { status: 'failed' })
          }
        ]
      : []),
    ...lowOnCredits.customers.map((customer) => ({
      key: customer.id,
      tone: 'warn' as const,
      label: 'Low on credits',
      text: (
        <>
          {nameOf(customer)}: <Credits amount={customer.balance} /> left
        </>
      ),
      href: customerPath(customer.id, 'credits')
    })),
    ...moreLow(lowOnCredits),
    ...(customers.portal.none > 0
      ? [
          {
            key: 'portal',
            tone: 'neutral' as const,
            label: 'Not invited',
            text: `${counted(customers.portal.none, 'customer')} without portal access`,
            href: withQuery(CUSTOMERS, { credentialStatus: 'none' })
          }
        ]
      : [])
  ]
}

/** Days of the usual spending that should be left. */
const RESERVE_DAYS = 7

function ownCredits({ balance, daily }: Shown['credits']): Matter[] {
  const spent = daily.reduce((sum, day) => sum + day.spent, 0)
  const daysLeft = spent === 0 ? Number.POSITIVE_INFINITY : Math.floor((balance / spent) * daily.length)
  if (balance > 0 && daysLeft >= RESERVE_DAYS) return []
  const text =
    balance === 0
      ? 'Your credits are used up: customers can’t remember or ask. Ask the operator for more.'
      : `Your credits last ${daysLeft === 0 ? 'less than a day' : `about ${counted(daysLeft, 'day')}`} at this pace. Ask the operator for more.`
  return [
    { key: 'own', tone: balance === 0 ? 'bad' : 'warn', label: balance === 0 ? 'Used up' : 'Low', text }
  ]
}

function moreLow({ count, customers }: Shown['lowOnCredits']): Matter[] {
  const more = count - customers.length
  if (more === 0) return []
  return [
    {
      key: 'more',
      tone: 'warn',
      label: 'Low on credits',
      text: `and ${counted(more, 'more customer')} low on credits`
    }
  ]
}
