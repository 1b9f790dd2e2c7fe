import { listInstancesOperation } from '../../../src/instances/operations.ts'
import { customerPath } from '../console-customers/words.tsx'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { pageAsked, pagesOf } from '../settings/address.ts'
import { LinkButton } from '../ui/form.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Nothing, Time } from '../ui/values.tsx'
import { deployFormPage } from './deploy-form.tsx'
import { showDeploy, streamDeploy } from './deploy-page.tsx'
import { instancePage } from './instance-page.tsx'
import { chooseForWhom, registerPage } from './register.tsx'
import { INSTANCES, InstanceState, instancePath, placeOf } from './words.tsx'

async function showInstances(context: PageContext): Promise<Response> {
  const asked = { page: pageAsked(context.c) }
  const { data, pagination } = await callOperation(context, listInstancesOperation, asked)
  const action = <LinkButton href={instancePath('register')}>Register a server</LinkButton>
  return showPage(
    context,
    { title: 'Servers', current: 'instances', action },
    <>
      <Table
        caption="Customers’ servers, newest first"
        columns={['Server', 'Host', 'Customer', 'Agent', 'State', { title: 'Registered', align: 'end' }]}
        rows={data.map((instance) => ({
          href: instancePath(instance.instanceId),
          cells: [
            instance.name,
            <code>{placeOf(instance)}</code>,
            <a href={customerPath(instance.customerId)}>{instance.customerName}</a>,
            instance.agentName ?? <Nothing />,
            <InstanceState status={instance.status} />,
            <Time iso={instance.createdAt} />
          ]
        }))}
        empty={{ title: 'No server yet', text: NONE_YET, action }}
      />
      <Pager pagination={pagination} hrefOf={pagesOf(INSTANCES)} />
    </>
  )
}

const NONE_YET = (
  <p>
    Register a customer’s virtual server, let our key in, and deploy the CLI agent there. The customer then
    chats with it in the portal.
  </p>
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
