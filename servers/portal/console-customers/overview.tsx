// One customer at a glance.
import type { Child, FC } from 'hono/jsx'
import type { z } from 'zod'
import type { CustomerPrice } from '../../../schemas/customer.ts'
import type { InstancePage } from '../../../schemas/instance.ts'
import { getAiUsage } from '../../../src/ai-gateway/operations.ts'
import { customerCreditDaily, getCustomerCredits } from '../../../src/credits/operations.ts'
import { getCustomerPrice } from '../../../src/customers/operations.ts'
import { listInstancesOperation } from '../../../src/instances/operations.ts'
import { listTeamMembersOperation } from '../../../src/team/operations.ts'
import { listVoiceAgents } from '../../../src/voice-agents/operations.ts'
import { INSTANCES, InstanceState, instancePath, placeOf } from '../instances/words.tsx'
import { callOperation } from '../page-kit.tsx'
import { SpentChart } from '../ui/chart.tsx'
import { PlainLink } from '../ui/form.tsx'
import { Card, DescriptionList, Grid } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Credits, counted, Money, ShortId, Time } from '../ui/values.tsx'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import {
  type AiUsage,
  aiUsageItems,
  customerPath,
  OrderState,
  PortalState,
  personName,
  usedTokens
} from './words.tsx'

/** More than one customer usually has. */
const SHOWN_SERVERS = 5

export async function showOverview(context: CustomerContext): Promise<Response> {
  const { customer } = context
  const { data: price } = await callOperation(context, getCustomerPrice)
  const { data: team } = await callOperation(context, listTeamMembersOperation)
  const agents = await callOperation(context, listVoiceAgents, { limit: 1 })
  const { data: credits } = await callOperation(context, getCustomerCredits)
  const { data: daily } = await callOperation(context, customerCreditDaily)
  const { data: aiUsage } = await callOperation(context, getAiUsage)
  const servers = await callOperation(context, listInstancesOperation, { limit: SHOWN_SERVERS })
  const counts = { members: team.length, agents: agents.pagination.totalCount, balance: credits.balance }
  const children = (
    <>
      <Grid>
        <Contact {...customer} />
        <Standing customer={customer} {...counts} aiUsage={aiUsage} />
      </Grid>
      <Grid>
        <Price customer={customer} {...price} />
        <Card title="AI credits">
          <SpentChart title="Spent in the last 30 days" daily={daily} />
        </Card>
      </Grid>
      <CustomerServers customerId={customer.id} {...servers} aiUsage={aiUsage} />
    </>
  )
  return answerPart(context, { part: '', children })
}

const Contact: FC<ShownCustomer> = (customer) => (
  <Card title="Contact" action={<PlainLink href={customerPath(customer.id, 'details')}>Edit</PlainLink>}>
    <DescriptionList
      items={[
        { term: 'Name', value: personName(customer) },
        { term: 'Company', value: customer.companyName },
        { term: 'E-mail', value: <a href={`mailto:${customer.email}`}>{customer.email}</a> },
        { term: 'Phone', value: customer.businessPhone },
        { term: 'Short code', value: <code>{customer.customerId}</code> },
        { term: 'Customer id', value: <ShortId id={customer.id} /> },
        { term: 'Created', value: <Time iso={customer.createdAt} /> },
        { term: 'Last changed', value: <Time iso={customer.updatedAt} /> }
      ]}
    />
  </Card>
)

interface StandingProps {
  customer: ShownCustomer
  members: number
  agents: number
  balance: number
  aiUsage: AiUsage
}

const Standing: FC<StandingProps> = ({ customer, members, agents, balance, aiUsage }) => {
  const to = (part: string, text: Child) => <a href={customerPath(customer.id, part)}>{text}</a>
  const taken = `${members} of ${counted(customer.maxTeamMembers, 'place')} taken`
  const left = (
    <>
      <Credits amount={balance} /> left
    </>
  )
  return (
    <Card title="At a glance">
      <DescriptionList
        items={[
          { term: 'Portal', value: <PortalState status={customer.credentialStatus} /> },
          { term: 'Order', value: <OrderState status={customer.orderStatus} /> },
          { term: 'Deployment', value: customer.deploymentStatus },
          {
            term: 'Voice agents',
            value: to('voice-agents', agents === 0 ? 'None mapped' : `${agents} mapped`)
          },
          { term: 'Team', value: to('team', customer.enableTeamMembers ? taken : 'Switched off') },
          { term: 'Memory', value: to('memory', customer.enableAiMemory ? 'On' : 'Off') },
          { term: 'AI credits', value: to('credits', customer.aiCreditsEnabled ? left : 'Not counted') },
          ...aiUsageItems(aiUsage)
        ]}
      />
    </Card>
  )
}

const Price: FC<z.output<typeof CustomerPrice>['data'] & { customer: ShownCustomer }> = ({
  customer,
  estimatedPrice,
  lines,
  isOnboardingCompleted
}) => (
  <Card
    title="Price"
    description={
      isOnboardingCompleted
        ? 'Estimated from the answers at onboarding.'
        : 'Estimated from few answers: the intake was short.'
    }
  >
    <DescriptionList
      items={[
        ...lines.map(({ item, amount }) => ({ term: item, value: <Money amount={amount} /> })),
        {
          term: 'Estimate a month',
          value: (
            <b>
              <Money amount={estimatedPrice} />
            </b>
          )
        },
        { term: 'Agreed price', value: <Money amount={customer.agreedPrice} /> },
        { term: 'Billing', value: customer.billingType }
      ]}
    />
  </Card>
)

type CustomerServersProps = z.output<typeof InstancePage> & { customerId: string; aiUsage: AiUsage }

/** The newest few of the customer's servers. */
const CustomerServers: FC<CustomerServersProps> = ({ customerId, data, pagination, aiUsage }) => (
  <Card
    title="Servers"
    action={<PlainLink href={instancePath('register', customerId)}>Register a server</PlainLink>}
  >
    <Table
      caption="The customer’s servers, newest first"
      columns={['Server', 'Host', 'State', { title: 'AI tokens today', align: 'end' }]}
      rows={data.map((instance) => ({
        href: instancePath(instance.instanceId),
        cells: [
          instance.name,
          <code>{placeOf(instance)}</code>,
          <InstanceState status={instance.status} />,
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
