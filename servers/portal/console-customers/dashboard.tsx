import type { Child, FC } from 'hono/jsx'
import { PROVIDER_APIS } from '../../../schemas/voice-agent.ts'
import { getAiUsage } from '../../../src/ai-gateway/operations.ts'
import { getUsageSync } from '../../../src/calls/operations.ts'
import { fromNow, HOUR_MS } from '../../../src/clock.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { findCustomersOperation } from '../../../src/customers/operations.ts'
import { getDashboard } from '../../../src/dashboard/operations.ts'
import { findInstances } from '../../../src/instances/operations.ts'
import { listMailsOperation } from '../../../src/mail/operations.ts'
import { listStatements } from '../../../src/statements/operations.ts'
import { listUnattributed } from '../../../src/usage/operations.ts'
import { listWebhooksOperation } from '../../../src/webhooks/operations.ts'
import { DEPLOY_FAILED, INSTANCES, instancePath, NO_ANSWER } from '../instances/words.tsx'
import { callIfMay, callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { pathTo } from '../settings/address.ts'
import { Act } from '../settings/audit.tsx'
import { templateInWords } from '../settings/mail.tsx'
import { TableCard } from '../ui/cards.tsx'
import { SpentChart } from '../ui/chart.tsx'
import { LinkButton, PlainLink } from '../ui/form.tsx'
import { Card, DescriptionList, EmptyState, type Figure, Figures } from '../ui/layout.tsx'
import { atEnd, hidden } from '../ui/table.tsx'
import {
  Credits,
  counted,
  creditsText,
  exactMoney,
  ShortId,
  type State,
  StateBadge,
  Time
} from '../ui/values.tsx'
import { troubleOf, USAGE } from './usage.tsx'
import { aiUsageItems, CUSTOMERS, customerPath, ONBOARD, PORTAL_STATES } from './words.tsx'

export async function showDashboard(context: PageContext): Promise<Response> {
  const shown = await readDashboard(context)
  const hasCustomers = shown.customers.total > 0
  const action = hasCustomers ? <LinkButton href={ONBOARD}>Onboard a customer</LinkButton> : undefined
  return showPage(
    context,
    { title: 'Dashboard', current: '', action },
    <>
      {hasCustomers ? <Overview {...shown} /> : <FirstSteps />}
      <RecentActivity {...shown} />
    </>
  )
}

/** Of each kind of matter. */
const SHOWN = 5

/** Where they may not see any. */
const NONE = { data: [], pagination: { totalCount: 0 } }

type Shown = Awaited<ReturnType<typeof readDashboard>>

async function readDashboard(context: PageContext) {
  const { data } = await callOperation(context, getDashboard)
  const { data: aiUsage } = await callOperation(context, getAiUsage)
  const unattributed = (await callIfMay(context, listUnattributed))?.data ?? []
  const syncs = (await callIfMay(context, getUsageSync))?.data ?? []
  const limit = SHOWN
  const silent = await callIfMay(context, findInstances, { trouble: 'unreachableSince', limit })
  const failed = await callIfMay(context, findInstances, { trouble: 'failedAt', limit })
  const { data: mails } = await callOperation(context, listMailsOperation, { status: 'failed', limit })
  const invites = await callOperation(context, findCustomersOperation, { need: 'invite', limit })
  const toBill = await callIfMay(context, listStatements, { status: 'closed', limit })
  const webhooks = (await callIfMay(context, listWebhooksOperation))?.data ?? []
  return {
    ...{ ...data, aiUsage, unattributed, syncs, mails, invites, webhooks },
    ...{ silent: silent ?? NONE, failed: failed ?? NONE, toBill: toBill ?? NONE }
  }
}

const Overview: FC<Shown> = (shown) => (
  <>
    <Figures label="Customers by state" figures={figuresOf(shown)} />
    <TableCard
      title="Needs attention"
      caption="What needs attention"
      columns={['Matter', hidden('Kind'), atEnd('When')]}
      rows={mattersOf(shown).map(({ text, since, href, ...state }) => ({
        href,
        cells: [text, <StateBadge {...state} />, <Time iso={since} />]
      }))}
      empty={{ title: 'All is well', text: ALL_IS_WELL }}
    />
    <Card
      title="Your credits"
      description={
        <>
          <Credits amount={shown.credits.balance} /> left. Remembering and asking take from them.
        </>
      }
    >
      <SpentChart title="Spent in the last 30 days" daily={shown.credits.daily} />
      <DescriptionList items={aiUsageItems(shown.aiUsage)} />
    </Card>
  </>
)

function figuresOf({ customers: { total, portal, order, onTrial } }: Shown): Figure[] {
  return [
    { label: 'Customers', value: total, href: CUSTOMERS },
    { label: 'Order active', value: order.active, href: `${CUSTOMERS}?orderStatus=active` },
    { label: 'Order new', value: order.new, href: `${CUSTOMERS}?orderStatus=new` },
    { label: 'On trial', value: onTrial, href: `${CUSTOMERS}?isOnTrial=true` },
    { label: 'Portal access', value: portal.active, href: `${CUSTOMERS}?credentialStatus=active` },
    { label: 'Blocked', value: portal.suspended, href: `${CUSTOMERS}?credentialStatus=suspended` }
  ]
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
          <a href={pathTo('brand')}>Set your name, logo and colour</a>, which customers see in their portal
          and mails
        </li>
        <li>
          <a href={pathTo('plans')}>Create a plan</a>, whose features new customers get
        </li>
        <li>
          <a href={pathTo('keys')}>Make an API key</a>, to do all of this from your own systems
        </li>
      </ul>
    </EmptyState>
  </Card>
)

const RecentActivity: FC<Shown> = ({ activity }) => (
  <TableCard
    title="Recent activity"
    action={activity.length > 0 && <PlainLink href={pathTo('audit')}>Open the audit log</PlainLink>}
    caption="What was done last"
    columns={['What', 'On', 'By', { title: 'When', align: 'end' }]}
    rows={activity.map((act) => ({
      href: hrefOf(act),
      cells: [
        <Act action={act.action} />,
        act.targetName ? <bdi>{act.targetName}</bdi> : <ShortId id={act.targetId} />,
        act.actorName ? <bdi>{act.actorName}</bdi> : <ShortId id={act.actor} />,
        <Time iso={act.createdAt} />
      ]
    }))}
    empty={{
      title: 'Nothing was done yet',
      text: <p>Whatever is changed here, over the API or in a portal is listed here with who did it.</p>
    }}
  />
)

/** The part of the customer's page that shows what it was done to. */
const PARTS_OF_TARGETS: Readonly<Record<string, string[]>> = {
  team_member: ['team'],
  mind: ['memory'],
  customer_token: ['tokens']
}

function hrefOf({ targetType, targetId, targetCustomerId }: Shown['activity'][number]): string | undefined {
  if (targetCustomerId === null) return undefined
  if (targetType === 'instance') return instancePath(targetId)
  return customerPath(targetCustomerId, ...(PARTS_OF_TARGETS[targetType] ?? []))
}

const ALL_IS_WELL = (
  <p>
    Agents that don’t answer, failed deploys, invites that lapse, calls that aren’t read or are nobody’s,
    mails that couldn’t be sent, webhooks that fail, low credits and statements to bill would be listed here.
  </p>
)

interface Matter extends State {
  text: Child
  since?: string | null
  href?: string
}

function mattersOf({ customers, failedMails, lowOnCredits, unattributed, syncs, ...shown }: Shown) {
  const matters = ownCredits(shown.credits)
  const push = (found: Matter[], count: number, all: string) => {
    const [{ tone, label } = NO_ANSWER] = found
    const text = `and ${count - found.length} more`
    matters.push(...found, ...(count > found.length ? [{ tone, label, text, href: all }] : []))
  }
  const silent = shown.silent.data.map(({ instanceId, name, unreachableSince: since, checkTrouble }) => {
    const text = ['The agent on ', <bdi>{name}</bdi>, ` stopped answering. ${checkTrouble ?? ''}`]
    return { ...NO_ANSWER, text, since, href: instancePath(instanceId) }
  })
  push(silent, shown.silent.pagination.totalCount, `${INSTANCES}?trouble=unreachableSince`)
  const failed = shown.failed.data.map(({ instanceId, name, failedAt: since, failedStep }) => {
    const text = ['The last deploy on ', <bdi>{name}</bdi>, ` failed${failedStep && ` at “${failedStep}”`}`]
    return { ...DEPLOY_FAILED, text, since, href: instancePath(instanceId) }
  })
  push(failed, shown.failed.pagination.totalCount, `${INSTANCES}?trouble=failedAt`)
  for (const sync of syncs) {
    const trouble = troubleOf(sync)
    const text = `Calls of ${PROVIDER_APIS[sync.provider].name} aren’t read as they should be`
    if (trouble) matters.push({ ...trouble, text, since: sync.readUntil, href: USAGE })
  }
  if (unattributed.length > 0) {
    const calls = unattributed.reduce((sum, group) => sum + group.calls, 0)
    const [since = null] = unattributed.map((group) => group.since).toSorted()
    const text = `${counted(calls, 'call')} that no customer is charged for`
    matters.push({ tone: 'warn', label: 'Unattributed', text, since, href: USAGE })
  }
  for (const { webhookId, name, url, isActive, trouble, fullSince, failingSince: since } of shown.webhooks) {
    // One attempt that failed says nothing yet.
    const isFailing = trouble !== null && (since ?? '') <= fromNow(-HOUR_MS)
    if (!isFailing && (fullSince === null || !isActive)) continue
    const text = ['Events to ', <bdi>{name || url}</bdi>, `: ${trouble ?? 'Too many wait.'}`]
    const label = fullSince ? 'Events are lost' : 'Not delivered'
    matters.push({ tone: 'bad', label, text, since: since ?? fullSince, href: pathTo('webhooks', webhookId) })
  }
  const failedPath = `${pathTo('mail')}?status=failed`
  // Those of this week come first.
  const mails = shown.mails.slice(0, failedMails).map((mail): Matter => {
    const text = `${templateInWords(mail.template)} to ${mail.recipient}: ${mail.lastError ?? ''}`
    return { tone: 'bad', label: 'Not sent', text, since: mail.finishedAt, href: failedPath }
  })
  push(mails, failedMails, failedPath)
  const low = lowOnCredits.customers.map(({ balance, movedAt, ...customer }) => {
    const state = balance === 0 ? { ...USED_UP, since: movedAt } : LOW_ON_CREDITS
    const text = [<bdi>{nameOf(customer)}</bdi>, `: ${creditsText(balance)} left`]
    return { ...state, text, href: customerPath(customer.id, 'credits') }
  })
  push(low, lowOnCredits.count, `${CUSTOMERS}?need=credits`)
  const invites = shown.invites.data.map(({ id, portalAccess: { state, at: since }, ...customer }) => {
    const text = [<bdi>{nameOf(customer)}</bdi>, ' hasn’t taken the invite']
    return { ...PORTAL_STATES[state], text, since, href: customerPath(id, 'portal-access') }
  })
  push(invites, shown.invites.pagination.totalCount, `${CUSTOMERS}?need=invite`)
  if (customers.portal.none > 0) {
    const text = `${counted(customers.portal.none, 'customer')} without portal access`
    matters.push({ tone: 'neutral', label: 'Not invited', text, href: `${CUSTOMERS}?credentialStatus=none` })
  }
  const toBill = shown.toBill.data.map(({ statementId, number, total, ...of }): Matter => {
    const text = [
      `Statement ${number} of `,
      <bdi>{of.customerName}</bdi>,
      `: ${exactMoney(total, of.currency)}`
    ]
    const href = pathTo('statements', statementId)
    return { tone: 'neutral', label: 'To bill', text, since: of.closedAt, href }
  })
  push(toBill, shown.toBill.pagination.totalCount, `${pathTo('statements')}?status=closed`)
  return matters
}

const USED_UP: State = { tone: 'bad', label: 'Used up' }
const LOW_ON_CREDITS: State = { tone: 'warn', label: 'Low on credits' }

/** Days of the usual spending that should be left. */
const RESERVE_DAYS = 7

function ownCredits({ balance, daily }: Shown['credits']): Matter[] {
  if (balance === 0) {
    const text = 'Your credits are used up: customers can’t remember or ask. Ask the operator for more.'
    return [{ tone: 'bad', label: 'Used up', text }]
  }
  const spent = daily.reduce((sum, day) => sum + day.spent, 0)
  const daysLeft = spent === 0 ? Number.POSITIVE_INFINITY : Math.floor((balance / spent) * daily.length)
  if (balance > 0 && daysLeft >= RESERVE_DAYS) return []
  const left = daysLeft === 0 ? 'less than a day' : `about ${counted(daysLeft, 'day')}`
  const text = `Your credits last ${left} at this pace. Ask the operator for more.`
  return [{ tone: 'warn', label: 'Low', text }]
}
