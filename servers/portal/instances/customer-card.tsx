// A customer's servers, on the customer's page.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { InstancePage } from '../../../schemas/instance.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { Table } from '../ui/table.tsx'
import { INSTANCES, instancePath, registerPath } from './paths.ts'
import { InstanceState, placeOf } from './words.tsx'

interface CustomerServersProps {
  customerId: string
  /** The newest few. */
  servers: z.output<typeof InstancePage>
}

export const CustomerServers: FC<CustomerServersProps> = ({ customerId, servers: { data, pagination } }) => (
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
      columns={[{ title: 'Server' }, { title: 'Host' }, { title: 'State' }]}
      rows={data.map((instance) => ({
        key: instance.instanceId,
        href: instancePath(instance.instanceId),
        cells: [instance.name, <code>{placeOf(instance)}</code>, <InstanceState status={instance.status} />]
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
