import type { Child, FC } from 'hono/jsx'
import { getAiUsage } from '../../../src/ai-gateway/operations.ts'
import { customerCreditDaily, getCustomerCredits } from '../../../src/credits/operations.ts'
import { listInstancesOperation } from '../../../src/instances/operations.ts'
import { listTeamMembersOperation } from '../../../src/team/operations.ts'
import { listVoiceAgents } from '../../../src/voice-agents/operations.ts'
import { INSTANCES, InstanceState, instancePath, placeOf } from '../instances/words.tsx'
import { callIfMay, callOperation } from '../page-kit.tsx'
import { mayOpen } from '../rights.ts'
import { FactsCard } from '../ui/cards.tsx'
import { SpentChart } from '../ui/chart.tsx'
import { PlainLink } from '../ui/form.tsx'
import { Card, Grid } from '../ui/layout.tsx'
import { atEnd, Table } from '../ui/table.tsx'
import { Credits, counted, inWords, Money, ShortId, Time } from '../ui/values.tsx'
import { answerPart, type CustomerContext } from './customer-page.tsx'
import { aiUsageItems, customerPath, personOrEmail, usedTokens } from './words.tsx'

/** More than one customer usually has. */
const SHOWN_SERVERS = 5

export async function showOverview(context: CustomerContext): Promise<Response> {
  const shown = await readOverview(context)
  const children = (
    <>
      <Grid>
        <Contact {...shown} />
        <Standing {...shown} />
      </Grid>
      <Grid>
        <Price {...shown} />
        <Card title="AI credits">
          <SpentChart title="Spent in the last 30 days" daily={shown.daily} />
        </Card>
      </Grid>
      {shown.servers && <NewestServers {...shown} servers={shown.servers} />}
    </>
  )
  return answerPart(context, { part: '', children })
}

type Overview = Awaited<ReturnType<typeof readOverview>>

async function readOverview(context: CustomerContext) {
  const { data: team } = await callOperation(context, listTeamMembersOperation)
  const { pagination: agents } = await callOperation(context, listVoiceAgents, { limit: 1 })
  const { data: credits } = await callOperation(context, getCustomerCredits)
  const { data: daily } = await callOperation(context, customerCreditDaily)
  const { data: aiUsage } = await callOperation(context, getAiUsage)
  const servers = await callIfMay(context, listInstancesOperation, { limit: SHOWN_SERVERS })
  return { customer: context.customer, team, agents, credits, daily, aiUsage, servers }
}

const Contact: FC<Overview> = ({ customer }) => (
  <FactsCard
    title="Contact"
    action={<PlainLink href={customerPath(customer.id, 'details')}>Details</PlainLink>}
    items={[
      { term: 'Name', value: personOrEmail(customer) },
      { term: 'Company', value: customer.companyName },
      { term: 'E-mail', value: <a href={`mailto:${customer.email}`}>{customer.email}</a> },
      { term: 'Phone', value: customer.businessPhone },
      { term: 'Short code', value: <code>{customer.customerId}</code> },
      { term: 'Customer id', value: <ShortId id={customer.id} /> },
      { term: 'Created', value: <Time iso={customer.createdAt} /> },
      { term: 'Last changed', value: <Time iso={customer.updatedAt} /> }
    ]}
  />
)

const Standing: FC<Overview> = ({ customer, team, agents: { totalCount: agents }, credits, aiUsage }) => {
  const to = (part: string, text: Child) => {
    const href = customerPath(customer.id, part)
    return mayOpen(href) ? <a href={href}>{text}</a> : text
  }
  const taken = `${team.length} of ${counted(customer.maxTeamMembers, 'place')} taken`
  const mapped = agents === 0 ? 'None mapped' : `${agents} mapped`
  const left = (
    <>
      <Credits amount={credits.balance} /> left
    </>
  )
  return (
    <FactsCard
      title="At a glance"
      items={[
        { term: 'Deployment', value: inWords(customer.deploymentStatus) },
        { term: 'Voice agents', value: to('voice-agents', mapped) },
        { term: 'Team', value: to('team', customer.enableTeamMembers ? taken : 'Switched off') },
        { term: 'Memory', value: to('memory', customer.enableAiMemory ? 'On' : 'Off') },
        { term: 'AI credits', value: to('credits', customer.aiCreditsEnabled ? left : 'Not counted') },
        ...aiUsageItems(aiUsage)
      ]}
    />
  )
}

const Price: FC<Overview> = ({ customer }) => {
  const amountOf = (amount: number | null) => <Money amount={amount} currency={customer.currency} />
  return (
    <FactsCard
      title="Price"
      description={
        customer.isOnboardingCompleted
          ? 'Estimated from the answers at onboarding.'
          : 'Estimated from few answers: the intake was short.'
      }
      items={[
        ...customer.priceLines.map(({ item, amount }) => ({ term: item, value: amountOf(amount) })),
        { term: 'A month', value: <b>{amountOf(customer.agreedPrice ?? customer.estimatedPrice)}</b> },
        { term: 'Not billed yet', value: amountOf(customer.unbilledAmount) },
        { term: 'Billing', value: inWords(customer.billingType) }
      ]}
    />
  )
}

const NewestServers: FC<Overview & { servers: NonNullable<Overview['servers']> }> = ({
  customer,
  servers: { data, pagination },
  aiUsage
}) => (
  <Card
    title="Servers"
    action={<PlainLink href={instancePath('register', customer.id)}>Register a server</PlainLink>}
  >
    <Table
      caption="The customer’s servers, newest first"
      columns={['Server', 'Host', 'State', atEnd('AI tokens today')]}
      rows={data.map((instance) => ({
        href: instancePath(instance.instanceId),
        cells: [
          instance.name,
          <code>{placeOf(instance)}</code>,
          <InstanceState {...instance} />,
          aiUsage.servers
            .filter(({ instanceId }) => instanceId === instance.instanceId)
            .map(({ today }) => usedTokens(today))
            .join(', ')
        ]
      }))}
      empty={{
        title: 'No server yet',
        text: <p>With a server of its own, the customer can chat with an agent there.</p>
      }}
    />
    {pagination.hasNextPage ? (
      <p>
        These are the newest {data.length}. <a href={INSTANCES}>See all servers</a>
      </p>
    ) : null}
  </Card>
)
