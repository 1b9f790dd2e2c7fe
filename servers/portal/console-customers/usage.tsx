// What all customers used, and calls that are nobody's yet with the way to make them somebody's.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { UsageSyncState } from '../../../schemas/provider-key.ts'
import type { Unattributed, Usage } from '../../../schemas/usage.ts'
import { getUsageSync } from '../../../src/calls/operations.ts'
import { getUsage, listUnattributed } from '../../../src/usage/operations.ts'
import { dollars, UsageOverview } from '../belongings/usage.tsx'
import { chooseCustomer } from '../choose-customer.tsx'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { pathTo } from '../settings/address.ts'
import { TableCard } from '../ui/cards.tsx'
import { PlainLink } from '../ui/form.tsx'
import { atEnd, hidden } from '../ui/table.tsx'
import { decimal, Nothing, roundedMoney, type State, StateBadge, Time } from '../ui/values.tsx'
import { choiceOf, mappingPath } from './customer-agents.tsx'
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
  <TableCard
    title="By customer"
    description="The last 30 days, those that were charged most first."
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
)

const Nobodys: FC<z.output<typeof Unattributed>> = ({ data, isCutOff }) => (
  <TableCard
    title="Unattributed calls"
    description={`Nobody is charged for them: their agents were no customer’s then.${isCutOff ? ' These are the newest.' : ''}`}
    caption="Unattributed calls by agent"
    columns={[
      ...['Agent', 'Provider', ...['Calls', 'Minutes', 'Cost'].map(atEnd), 'Since'],
      hidden('Actions')
    ]}
    rows={data.map(({ agent, provider, calls, minutes, cost, ...now }) => ({
      cells: [
        agent ? agent.name : 'No agent',
        providerName(provider),
        decimal(calls),
        decimal(minutes),
        dollars(cost),
        <Time iso={now.since} />,
        agent && <PlainLink href={assignPath(choiceOf({ provider, ...agent }), now)}>Assign</PlainLink>
      ]
    }))}
    empty={{
      title: 'Every call is somebody’s',
      text: 'Calls of agents that are mapped to nobody would be here.'
    }}
  />
)

type Now = Pick<z.output<typeof Unattributed>['data'][number], 'customerId' | 'multiplier' | 'since'>

/** Where the agent is mapped since the first of its calls: to whose it is, or who is chosen first. */
const assignPath = (agent: string, { customerId, multiplier, since }: Now) =>
  customerId === null
    ? pathTo('usage', 'assign', agent, since)
    : mappingPath(customerId, agent, multiplier, since)

/** What is to be said of reading a provider's calls; nothing while all is well. */
export function troubleOf({ nextReadAt, isBehind, error }: Sync): State | undefined {
  if (nextReadAt === null) return { tone: 'bad', label: 'Stopped' }
  if (isBehind) return { tone: 'warn', label: 'Behind' }
  return error === null ? undefined : { tone: 'warn', label: 'Failing' }
}

const UNREAD: State = { tone: 'neutral', label: 'Not read yet' }
const READ: State = { tone: 'good', label: 'Up to date' }

const Syncs: FC<{ syncs: readonly Sync[] }> = ({ syncs }) => (
  <TableCard
    title="Reading calls"
    description="Calls are read from the providers that you have set a key for."
    action={<PlainLink href={pathTo('providers')}>Open providers</PlainLink>}
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
)

const chooseWhose = (context: PageContext): Promise<Response> => {
  const { agent = '', since = '' } = context.c.req.param()
  return chooseCustomer(context, {
    title: 'Whose calls are they?',
    current: 'usage',
    action: pathTo('usage', 'assign', agent, since),
    hrefOf: (customerId) => mappingPath(customerId, agent, null, since),
    whenNone: 'Calls are charged to a customer.'
  })
}

export const usagePages = { '/usage': showUsage, '/usage/assign/:agent/:since': chooseWhose }
