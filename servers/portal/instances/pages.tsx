// The console's pages on customers' servers and the deploys there: their routes, behind consoleVisitor(), and the list.
import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import { InstancePage } from '../../../schemas/instance.ts'
import { listInstancesOperation } from '../../../src/instances/operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import { customerPath } from '../console-customers/paths.ts'
import type { PageEnv } from '../env.ts'
import { ConsolePage } from '../frames.tsx'
import { pageAsked, withQuery } from '../settings/address.ts'
import { LinkButton } from '../ui/form.tsx'
import { EmptyState } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Time } from '../ui/values.tsx'
import { run, type Visit } from '../visit.ts'
import { showDeployForm, startDeploy } from './deploy-form.tsx'
import { showDeploy, streamDeploy } from './deploy-page.tsx'
import { removeServer, showInstance, tryServer } from './instance-page.tsx'
import { INSTANCES, instancePath, REGISTER } from './paths.ts'
import { chooseForWhom, registerServer, showRegistration } from './register.tsx'
import { InstanceState, placeOf } from './words.tsx'

async function showInstances(visit: Visit): Promise<Response> {
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

/** `/instances` and below. */
export function instancePages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const by = (answer: (visit: Visit) => Promise<Response>) => (c: Context<PageEnv>) => answer({ c, service })

  app.get('/', by(showInstances))
  app.get('/register', by(chooseForWhom))
  app.get('/register/:customerId', by(showRegistration))
  app.post('/register/:customerId', by(registerServer))
  app.get('/:instanceId', by(showInstance))
  app.post('/:instanceId/test', by(tryServer))
  app.post('/:instanceId/remove', by(removeServer))
  // The address of a form only leads to its page.
  for (const form of ['test', 'remove']) {
    app.get(`/:instanceId/${form}`, (c) => c.redirect(instancePath(c.req.param('instanceId')), 302))
  }
  app.get('/:instanceId/deploy', by(showDeployForm))
  app.post('/:instanceId/deploy', by(startDeploy))
  app.get('/:instanceId/deploys/:deployId', by(showDeploy))
  app.get('/:instanceId/deploys/:deployId/events', by(streamDeploy))
  return app
}
