// What all customers used, and calls that are nobody's yet with the way to make them somebody's.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { Unattributed, Usage } from '../../../schemas/usage.ts'
import type { UsageSyncState } from '../../../schemas/usage-sync.ts'
import { getUsageSync } from '../../../src/calls/operations.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getUsage, listUnattributed } from '../../../src/usage/operations.ts'
import { MAPPING } from '../../../src/voice-agents/operations.ts'
import { dollars, UsageOverview } from '../belongings/usage.tsx'
import { chooseCustomer } from '../choose-customer.tsx'
import { noSuchPage } from '../errors.tsx'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { pathTo } from '../settings/address.ts'
import { Form, PlainLink, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { atEnd, Table } from '../ui/table.tsx'
import {
  counted,
  decimal,
  Nothing,
  roundedMoney,
  ShortId,
  type State,
  StateBadge,
  Time
} from '../ui/values.tsx'
import { Multiplier } from './customer-agents.tsx'
import { openCustomer, parameter } from './customer-page.tsx'
import { numberOf } from './detail-values.ts'
import { customerPath, providerName } from './words.tsx'

type Sync = z.output<typeof UsageSyncState>

export const USAGE = pathTo('usage')

async function showUsage(context: PageContext): Promise<Response> {
  const { data: usage } = await callOperation(context, getUsage)
  return showPage(
    context,
    { title: 'Usage', current: 'usage' },
    <>
      <UsageOverview usage={usage} />
      <Customers {...usage} />
      <Nobodys {...(await callOperation(context, listUnattributed))} />
      <Syncs syncs={(await callOperation(context, getUsageSync)).data} />
    </>
  )
}

const Customers: FC<z.output<typeof Usage>> = ({ customers = [], currency }) => (
  <Card title="By customer" description="The last 30 days, those that were charged most first.">
    <Table
      caption="Usage by customer"
      columns={['Customer', ...['Calls', 'Minutes', 'Cost', 'Charged', 'Margin'].map(atEnd)]}
      rows={customers.map(({ id, name, calls, minutes, cost = 0, charge, margin }) => ({
        href: customerPath(id, 'usage'),
        cells: [
          name,
          decimal(calls),
          decimal(minutes),
          dollars(cost),
          roundedMoney(charge, currency),
          margin === undefined ? <Nothing /> : roundedMoney(margin, currency)
        ]
      }))}
      empty={{
        title: 'No call yet',
        text: 'Calls of mapped agents are here, with what they cost and are charged.'
      }}
    />
  </Card>
)

const Nobodys: FC<z.output<typeof Unattributed>> = ({ data, isCutOff }) => (
  <Card
    title="Unattributed calls"
    description={`Nobody is charged for them: their agents were no customer’s then.${isCutOff ? ' These are the newest.' : ''}`}
  >
    <Table
      caption="Unattributed calls by agent"
      columns={[
        ...['Agent', 'Provider', ...['Calls', 'Minutes', 'Cost'].map(atEnd), 'Since'],
        { title: 'Actions', hidden: true }
      ]}
      rows={data.map(({ agent, provider, customerId, calls, minutes, cost, since }) => ({
        cells: [
          agent ? agent.name : 'No agent',
          providerName(provider),
          decimal(calls),
          decimal(minutes),
          dollars(cost),
          <Time iso={since} />,
          agent && (
            <PlainLink href={pathTo('usage', 'assign', provider, agent.id, ...[customerId ?? []].flat())}>
              Assign
            </PlainLink>
          )
        ]
      }))}
      empty={{
        title: 'Every call is somebody’s',
        text: 'Calls of agents that are mapped to nobody would be here.'
      }}
    />
  </Card>
)

/** What is to be said of reading a provider's calls; nothing while all is well. */
export function troubleOf({ nextReadAt, isBehind, error }: Sync): State | undefined {
  if (nextReadAt === null) return { tone: 'bad', label: 'Stopped' }
  if (isBehind) return { tone: 'warn', label: 'Behind' }
  return error === null ? undefined : { tone: 'warn', label: 'Failing' }
}

const UNREAD: State = { tone: 'neutral', label: 'Not read yet' }
const READ: State = { tone: 'good', label: 'Up to date' }

const Syncs: FC<{ syncs: readonly Sync[] }> = ({ syncs }) => (
  <Card
    title="Reading calls"
    description="Calls are read from the providers that you have set a key for."
    action={<PlainLink href={pathTo('providers')}>Open providers</PlainLink>}
  >
    <Table
      caption="How far calls are read"
      columns={['Provider', 'State', 'Last read', 'Complete until', 'What went wrong']}
      rows={syncs.map((sync) => ({
        cells: [
          providerName(sync.provider),
          <StateBadge {...(troubleOf(sync) ?? (sync.readUntil === null ? UNREAD : READ))} />,
          <Time iso={sync.lastReadAt} />,
          <Time iso={sync.readUntil} />,
          sync.error ?? <Nothing />
        ]
      }))}
      empty={{ title: 'No calls are read yet', text: 'Set the key of a provider first.' }}
    />
  </Card>
)

const chooseWhose = (context: PageContext): Promise<Response> => {
  const ids = [parameter(context, 'provider'), parameter(context, 'agentId')]
  return chooseCustomer(context, {
    title: 'Whose calls are they?',
    current: 'usage',
    action: pathTo('usage', 'assign', ...ids),
    hrefOf: (customerId) => pathTo('usage', 'assign', ...ids, customerId),
    whenNone: 'Calls are charged to a customer.'
  })
}

const assignPage: Page = {
  async show(context, state) {
    const { agent, calls, since, provider, multiplier } = await nobodysOf(context)
    const { customer } = await openCustomer(context)
    const title = `Assign ${agent.name}`
    const breadcrumbs = [{ href: USAGE, label: 'Usage' }]
    return showPage(
      context,
      { title, current: 'usage', breadcrumbs, state },
      <Card
        title={nameOf(customer)}
        description={
          <>
            {counted(calls, 'call')}, the first one <Time iso={since} />, and those to come are charged to{' '}
            {nameOf(customer)}.
          </>
        }
      >
        <p>
          {providerName(provider)} <ShortId id={agent.id} />
        </p>
        <Form action="">
          <Multiplier before={String(multiplier ?? 1)} state={state} />
          <Submit cancelHref={USAGE}>Assign calls</Submit>
        </Form>
      </Card>
    )
  },
  forms: {
    async ''(context, form) {
      const { agent, provider, since } = await nobodysOf(context)
      const customerId = parameter(context, 'customerId')
      const profitMultiplier = numberOf(form.raw('profitMultiplier').trim() || 'nothing')
      const input = { agentId: agent.id, customerId, profitMultiplier, since }
      return { ...(await callOperation(context, MAPPING[provider].map, input, form)), next: USAGE }
    }
  }
}

/** @throws ServiceError `not_found` where that agent has no call of nobody's, such as once it was assigned */
async function nobodysOf(context: PageContext) {
  const { provider, agentId } = context.c.req.param()
  const { data } = await callOperation(context, listUnattributed)
  for (const { agent, ...group } of data)
    if (agent && agent.id === agentId && group.provider === provider) return { ...group, agent }
  throw noSuchPage()
}

export const usagePages = {
  '/usage': showUsage,
  '/usage/assign/:provider/:agentId': chooseWhose,
  '/usage/assign/:provider/:agentId/:customerId': assignPage
}
