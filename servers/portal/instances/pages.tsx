// The console's pages on customers' servers and the deploys there, each at its path; and the list.
import type { FC } from 'hono/jsx'
import { listInstancesOperation } from '../../../src/instances/operations.ts'
import { page } from '../answer.tsx'
import { customerPath } from '../console-customers/paths.ts'
import { ConsolePage } from '../frames.tsx'
import { callOperation, type PageContext } from '../page-kit.tsx'
import { pageAsked, withQuery } from '../settings/address.ts'
import { LinkButton } from '../ui/form.tsx'
import { EmptyState } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Time } from '../ui/values.tsx'
import { deployFormPage } from './deploy-form.tsx'
import { showDeploy, streamDeploy } from './deploy-page.tsx'
import { instancePage } from './instance-page.tsx'
import { INSTANCES, instancePath, REGISTER } from './paths.ts'
import { chooseForWhom, registerPage } from './register.tsx'
import { InstanceState, placeOf } from './words.tsx'

async function showInstances(context: PageContext): Promise<Response> {
  const { data, pagination } = await callOperation(context, listInstancesOperation, {
    page: pageAsked(context.c)
  })
  return page(
    context.c,
    <ConsolePage
      c={context.c}
      title="Servers"
      current="instances"
      action={<LinkButton href={REGISTER}>Register a server</LinkButton>}
    >
      <Table
        caption="Customers’ servers, newest first"
        columns={['Server', 'Host', 'Customer', 'Agent', 'State', { title: 'Registered', align: 'end' }]}
        rows={data.map((instance) => ({
          key: instance.instanceId,
          href: instancePath(instance.instanceId),
          cells: [
            instance.name,
            <code>{placeOf(instance)}</code>,
            <a href={customerPath(instance.customerId)}>{instance.customerName}</a>,
            instance.agentName ?? <span class="none">–</span>,
            <InstanceState status={instance.status} />,
            <Time iso={instance.createdAt} />
          ]
        }))}
        empty={<NoServers />}
      />
      <Pager pagination={pagination} hrefOf={(number) => withQuery(INSTANCES, { page: number })} />
    </ConsolePage>
  )
}

const NoServers: FC = () => (
  <EmptyState title="No server yet" action={<LinkButton href={REGISTER}>Register a server</LinkButton>}>
    <p>
      Register a customer’s virtual server, let our key in, and deploy the CLI agent there. The customer then
      chats with it in the portal.
    </p>
  </EmptyState>
)

export const instancePages = {
  '/instances': showInstances,
  '/instances/register': chooseForWhom,
  '/instances/register/:customerId': registerPage,
  '/instances/:instanceId': instancePage,
  '/instances/:instanceId/deploy': deployFormPage,
  '/instances/:instanceId/deploys/:deployId': showDeploy,
  '/instances/:instanceId/deploys/:deployId/events': streamDeploy
}
