// The console's first page: how things stand, and what needs somebody.
import type { Child, FC } from 'hono/jsx'
import type { z } from 'zod'
import type { Dashboard, GetDashboard } from '../../../schemas/dashboard.ts'
import { getAiUsage } from '../../../src/ai-gateway/operations.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getDashboard } from '../../../src/dashboard/operations.ts'
import { operations } from '../../../src/operations.ts'
import { page } from '../answer.tsx'
import { CONSOLE_BASE, ConsolePage } from '../frames.tsx'
import { instancePath } from '../instances/paths.ts'
import { callOperation, type PageContext } from '../page-kit.tsx'
import { withQuery } from '../settings/address.ts'
import { SpentChart } from '../ui/chart.tsx'
import { LinkButton } from '../ui/form.tsx'
import { Card, DescriptionList, EmptyState, Figures, Grid } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Badge, Credits, counted, ShortId, type State, Time } from '../ui/values.tsx'
import { CUSTOMERS, customerPath, ONBOARD } from './paths.ts'
import { type AiUsage, aiUsageItems } from './words.tsx'

type Shown = z.output<typeof Dashboard>['data']

export async function showDashboard(context: PageContext): Promise<Response> {
  const input: z.input<typeof GetDashboard> = {}
  const { data } = await callOperation(context, getDashboard, input)
  const { data: aiUsage } = await callOperation(context, getAiUsage)
  const hasCustomers = data.customers.total > 0
  return page(
    context.c,
    <ConsolePage
      c={context.c}
      title="Dashboard"
      current=""
      action={hasCustomers ? <LinkButton href={ONBOARD}>Onboard a customer</LinkButton> : undefined}
    >
      {hasCustomers ? <Overview data={data} aiUsage={aiUsage} /> : <FirstSteps />}
      <RecentActivity activity={data.activity} />
    </ConsolePage>
  )
}

const Overview: FC<{ data: Shown; aiUsage: AiUsage }> = ({ data, aiUsage }) => (
  <>
    <CustomerFigures customers={data.customers} />
    <Grid>
      <Card
        title="Your credits"
        description={
          <>
            <Credits amount={data.credits.balance} /> left. Remembering and asking take from them.
          </>
        }
      >
        <SpentChart title="Spent in the last 30 days" daily={data.credits.daily} />
        <DescriptionList items={aiUsageItems(aiUsage)} />
      </Card>
      <Card title="Needs attention">
        <AttentionList data={data} />
      </Card>
    </Grid>
  </>
)

const CustomerFigures: FC<{ customers: Shown['customers'] }> = ({ customers }) => {
  const { total, portal, order, onTrial } = customers
  return (
    <Figures
      label="Customers by state"
      figures={[
        { label: 'Customers', value: total, href: CUSTOMERS },
        {
          label: 'Order active',
          value: order.active,
          href: withQuery(CUSTOMERS, { orderStatus: 'active' })
        },
        { label: 'Order new', value: order.new, href: withQuery(CUSTOMERS, { orderStatus: 'new' }) },
        { label: 'On trial', value: onTrial, href: withQuery(CUSTOMERS, { isOnTrial: 'true' }) },
        {
          label: 'Portal open',
          value: portal.active,
          href: withQuery(CUSTOMERS, { credentialStatus: 'active' })
        },
        {
          label: 'Blocked',
          value: portal.suspended,
          href: withQuery(CUSTOMERS, { credentialStatus: 'suspended' })
        }
      ]}
    />
  )
}

const FirstSteps: FC = () => (
  <Card>
    <EmptyState
      title="Your customers will be here"
      action={<LinkButton href={ONBOARD}>Onboard your first customer</LinkButton>}
    >
      <p>An e-mail address is enough to begin. Before that, you may want to:</p>
      <ul>
        <li>
          <a href={`${CONSOLE_BASE}/brand`}>Set your name, logo and colour</a>, which customers see in their
          portal and mails
        </li>
        <li>
          <a href={`${CONSOLE_BASE}/plans`}>Create a plan</a>, whose features new customers get
        </li>
        <li>
          <a href={`${CONSOLE_BASE}/keys`}>Make an API key</a>, to do all of this from your own systems
        </li>
      </ul>
    </EmptyState>
  </Card>
)

const RecentActivity: FC<{ activity: Shown['activity'] }> = ({ activity }) => (
  <Card
    title="Recent activity"
    action={
      activity.length > 0 ? (
        <LinkButton kind="plain" href={`${CONSOLE_BASE}/audit`}>
          Open the audit log
        </LinkButton>
      ) : undefined
    }
  >
    <Table
      caption="What was done last"
      columns={['What', 'On', 'By', { title: 'When', align: 'end' }]}
      rows={activity.map((act) => ({
        key: act.id,
        href: hrefOf(act),
        cells: [
          titleOf(act.action),
          act.targetName ?? <ShortId id={act.targetId} />,
          act.actorName ?? <ShortId id={act.actor} />,
          <Time iso={act.createdAt} />
        ]
      }))}
      empty={
        <EmptyState title="Nothing was done yet">
          <p>Whatever is changed here, over the API or in a portal is listed here with who did it.</p>
        </EmptyState>
      }
    />
  </Card>
)

/** What the operation is called; acts that are none have names of their own. */
const titleOf = (action: string): string =>
  operations.find(({ name }) => name === action)?.title ?? action.replaceAll('_', ' ')

/** The part of the customer's page that shows what it was done to. */
const PARTS_OF_TARGETS: Readonly<Record<string, string>> = {
  team_member: 'team',
  mind: 'memory',
  customer_token: 'tokens'
}

function hrefOf({ targetType, targetId, targetCustomerId }: Shown['activity'][number]): string | undefined {
  if (targetCustomerId === null) return undefined
  if (targetType === 'instance') return instancePath(targetId)
  const part = PARTS_OF_TARGETS[targetType]
  return part === undefined ? customerPath(targetCustomerId) : customerPath(targetCustomerId, part)
}

// What somebody should look at, the most pressing first; each says where to go.
interface Matter {
  key: string
  tone: State['tone']
  label: string
  text: Child
  href?: string
}

const AttentionList: FC<{ data: Shown }> = ({ data }) => (
  <Table
    caption="What needs attention"
    columns={['Matter', { title: 'Kind', hidden: true }]}
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
