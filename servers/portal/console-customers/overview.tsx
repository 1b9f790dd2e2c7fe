// One customer at a glance.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { CustomerPrice } from '../../../schemas/customer.ts'
import type { InstancePage } from '../../../schemas/instance.ts'
import { getAiUsage } from '../../../src/ai-gateway/operations.ts'
import { customerCreditDaily, getCustomerCredits } from '../../../src/credits/operations.ts'
import { getCustomerPrice } from '../../../src/customers/operations.ts'
import { listInstancesOperation } from '../../../src/instances/operations.ts'
import { listTeamMembersOperation } from '../../../src/team/operations.ts'
import { listVoiceAgents } from '../../../src/voice-agents/operations.ts'
import { INSTANCES, instancePath, registerPath } from '../instances/paths.ts'
import { InstanceState, placeOf } from '../instances/words.tsx'
import { callOperation } from '../page-kit.tsx'
import { SpentChart } from '../ui/chart.tsx'
import { LinkButton } from '../ui/form.tsx'
import { Card, DescriptionList, EmptyState, Grid } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Credits, counted, Money, ShortId, Time } from '../ui/values.tsx'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import { customerPath } from './paths.ts'
import { type AiUsage, aiUsageItems, OrderState, PortalState, personName, usedTokens } from './words.tsx'

/** More than one customer usually has. */
const SHOWN_SERVERS = 5

export async function showOverview(context: CustomerContext): Promise<Response> {
  const { customer } = context
  const price = await callOperation(context, getCustomerPrice)
  const { data: team } = await callOperation(context, listTeamMembersOperation)
  const agents = await callOperation(context, listVoiceAgents, { limit: 1 })
  const credits = await callOperation(context, getCustomerCredits)
  const daily = await callOperation(context, customerCreditDaily)
  const { data: aiUsage } = await callOperation(context, getAiUsage)
  const servers = await callOperation(context, listInstancesOperation, { limit: SHOWN_SERVERS })
  return answerPart(context, {
    part: '',
    children: (
      <>
        <Grid>
          <Contact customer={customer} />
          <Standing
            customer={customer}
            members={team.length}
            agents={agents.pagination.totalCount}
            balance={credits.data.balance}
            aiUsage={aiUsage}
          />
        </Grid>
        <Grid>
          <Price customer={customer} price={price.data} />
          <Card title="AI credits">
            <SpentChart title="Spent in the last 30 days" daily={daily.data} />
          </Card>
        </Grid>
        <CustomerServers customerId={customer.id} servers={servers} aiUsage={aiUsage} />
      </>
    )
  })
}

const Contact: FC<{ customer: ShownCustomer }> = ({ customer }) => (
  <Card
    title="Contact"
    action={
      <LinkButton kind="plain" href={customerPath(customer.id, 'details')}>
        Edit
      </LinkButton>
    }
  >
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
  const to = (part: string, text: string) => <a href={customerPath(customer.id, part)}>{text}</a>
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
          {
            term: 'Team',
            value: to(
              'team',
              customer.enableTeamMembers
                ? `${members} of ${counted(customer.maxTeamMembers, 'place')} taken`
                : 'Switched off'
            )
          },
          { term: 'Memory', value: to('memory', customer.enableAiMemory ? 'On' : 'Off') },
          {
            term: 'AI credits',
            value: (
              <a href={customerPath(customer.id, 'credits')}>
                {customer.aiCreditsEnabled ? (
                  <>
                    <Credits amount={balance} /> left
                  </>
                ) : (
                  'Not counted'
                )}
              </a>
            )
          },
          ...aiUsageItems(aiUsage)
        ]}
      />
    </Card>
  )
}

const Price: FC<{ customer: ShownCustomer; price: z.output<typeof CustomerPrice>['data'] }> = ({
  customer,
  price: { estimatedPrice, lines, isOnboardingCompleted }
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

// A customer's servers, on the customer's page.
interface CustomerServersProps {
  customerId: string
  /** The newest few. */
  servers: z.output<typeof InstancePage>
  aiUsage: AiUsage
}

const CustomerServers: FC<CustomerServersProps> = ({
  customerId,
  servers: { data, pagination },
  aiUsage
}) => (
  <Card
    title="Servers"
    action={
      <LinkButton kind="plain" href={registerPath(customerId)}>
        Register a server
      </LinkButton>
    }
  >
    <Table
      caption="The customer’s servers, newest first"
      columns={['Server', 'Host', 'State', { title: 'AI tokens today', align: 'end' }]}
      rows={data.map((instance) => ({
        key: instance.instanceId,
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
      empty={
        <EmptyState title="No server yet">
          <p>With a server of its own, the customer can chat with an agent there.</p>
        </EmptyState>
      }
    />
    {pagination.hasNextPage ? (
      <p>
        These are the newest {data.length}. <a href={INSTANCES}>See all servers</a>
      </p>
    ) : null}
  </Card>
)
