// Every server of the partner's customers and how far its agent is.
import type { FC } from 'hono/jsx'
import { InstancePage } from '../../../schemas/instance.ts'
import { listInstancesOperation } from '../../../src/instances/operations.ts'
import { page } from '../answer.tsx'
import { customerPath } from '../console-customers/paths.ts'
import { ConsolePage } from '../frames.tsx'
import { pageAsked, withQuery } from '../settings/address.ts'
import { LinkButton } from '../ui/form.tsx'
import { EmptyState } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Time } from '../ui/values.tsx'
import { run, type Visit } from '../visit.ts'
import { INSTANCES, instancePath, REGISTER } from './paths.ts'
import { InstanceState, placeOf } from './words.tsx'

export async function showInstances(visit: Visit): Promise<Response> {
  const { data, pagination } = await run(visit, listInstancesOperation, InstancePage, {
    page: pageAsked(visit.c)
  })
  return page(
    visit.c,
    <ConsolePage
      c={visit.c}
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
